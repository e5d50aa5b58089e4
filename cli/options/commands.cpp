#include "cli/options/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/text/message.hpp"
#include "kernels/kernel.hpp"
#include "machines/machine.hpp"
#include "points/counters/counts.hpp"
#include "points/policy.hpp"

namespace gable::cli {

namespace {

// CMakeLists.txt defines GABLE_BUILT_IN and GABLE_NOT_BUILT_IN: names with commas.

// The version in the first line; then the compiler, the ISAs of the kernels, and what was built in and what
// was not. It depends on the build alone, not on the machine or on what is installed.
std::string version_text() {
  std::string text =
      fmt::format("gable {}\ncompiler: {}, {}\nkernels: {}\nbuilt in: {}\n", GABLE_VERSION, GABLE_COMPILER,
                  GABLE_BUILD_TYPE, fmt::join(kernels::isas(~0u), ", "), GABLE_BUILT_IN);
  const std::string_view missing = GABLE_NOT_BUILT_IN;
  if (!missing.empty()) text += fmt::format("not built in: {}\n", missing);
  text += "license: BSD-3-Clause";
  return text;
}

struct Entry {
  const char* name;
  const char* summary;
  void (*define)(CLI::App&);
};

constexpr Entry commands[] = {
    {"machine", "show clusters, caches, memory nodes, ISAs and page sizes", define_machine},
    {"measure", "measure this machine into a folder; continues an earlier measurement", define_measure},
    {"bench", "measure one figure: the bandwidth, peak or latency of one operation and size", define_bench},
    {"fit", "compute roofs.json and hybrid.json from the samples of a folder; or fit a --grid", define_fit},
    {"show", "show the figures of a recorded folder, or of a published machine such as joe0", define_show},
    {"compare", "compare recorded folders: every difference, and which are significant", define_compare},
    {"cluster",
     "measure many nodes by Slurm or MPI, show which nodes differ, compare with an earlier recording",
     define_cluster},
    {"place", "run a workload with parts of its data in different memories", define_place},
    {"plot", "draw the charts of a folder", define_plot},
    {"report", "write the contents of a folder as a report in one HTML file", define_report},
    {"point", "put programs under the roofs: run, add, import, list, remove", define_point},
    {"profile",
     "profile what a program does to memory, by function and array; show its traffic by cache level",
     define_profile},
    {"predict",
     "predict the time of a program on other machines or in other memories, or the bandwidth of two memories",
     define_predict},
    {"export", "print tables as CSV, or hwloc XML with the measured values", define_export},
    {"kmaf", "manage thread and data affinity: managed runs, traces and their metrics, replays", define_kmaf},
    {"virt",
     "show what virtualization costs: page walks, mapping, noise on many nodes, nested or shadow paging",
     define_virt},
    {"completion", "print a script that completes gable's commands and options in bash or zsh",
     define_completion},
    {"man", "print the manual page of a command, for man -l -", define_man},
};

constexpr const char* first_steps =
    "Begin with `gable measure DIR`, `gable fit DIR` and `gable show DIR`: the memory of this machine.\n"
    "`gable show joe0` shows a published machine, `gable COMMAND --help` explains a command.\n";

// What was printed comes before the complaint, also where both go into one pipe.
int complain(const std::exception& error, int status) {
  std::fflush(stdout);
  tell(error.what());
  return status;
}

int complain(const std::filesystem::filesystem_error& error) {
  std::fflush(stdout);
  tell(error.path1().string() + ": " + error.code().message());
  return 1;
}

// 0 or `status` when all that was printed has been written.
int finish(int status = 0) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  if (errno == EPIPE) return 1;  // the reader had enough
  return complain(std::runtime_error("cannot write to standard output"), 1);
}

// Prints what is there, as it says itself, and then dies the death that the caller's shell waits for.
[[noreturn]] void end_interrupted(const Error& interrupted) {
  finish();
  complain(interrupted, 1);
  end_by_signal();
}

int end(const Error& error) {
  if (error.kind == Error::Kind::interrupted) end_interrupted(error);
  return error.text().empty() ? error.status : complain(error, error.status);
}

// Options after a program's name are gable's own without "--".
void hint_at_separator(const CLI::App& app, int argc, char** argv) {
  if (last_command(app).get_option_no_throw("COMMAND") == nullptr) return;
  if (std::find(argv, argv + argc, std::string_view("--")) != argv + argc) return;
  tell("give the program and its arguments after --, as in `-- ./app arguments`");
}

// Does what git does without a command: it lists the commands on standard output and reports no success.
int list_commands(const CLI::App& app) {
  std::fputs(app.help().c_str(), stdout);  // of the last command that was named
  if (&last_command(app) == &app) std::fputs(first_steps, stdout);
  return finish(2);
}

int refuse_call(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (lacks_command(app)) return list_commands(app);
  tell(mistake(app, error) + "\nSee `" + path_of(last_command(app)) + " --help`.");
  hint_at_separator(app, argc, argv);
  return 2;
}

void define_commands(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.group("Commands");  // of all below it, in --help
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", version_text, "print the version and exit");
  app.option_defaults()->disable_flag_override();
  app.require_subcommand(1);
  for (const Entry& entry : commands) entry.define(*app.add_subcommand(entry.name, entry.summary));
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app{"measure the memory of a machine and draw its Locality-Aware Roofline Model", "gable"};
  define_commands(app);
  if (const std::string unknown = unknown_command(app, argc, argv); !unknown.empty()) {
    tell(unknown + "\n`gable --help` lists the commands.");
    return 2;
  }
  try {
    app.parse(argc, argv);
    return finish();
  } catch (const CLI::Success& success) {  // --help or --version
    return finish(app.exit(success));
  } catch (const CLI::ParseError& error) {
    return refuse_call(app, error, argc, argv);
  } catch (const Error& error) {
    return end(error);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(error);
  } catch (const std::bad_alloc&) {
    return complain(std::runtime_error("not enough memory"), 1);
  } catch (const std::exception& error) {
    return complain(error, 1);
  }
}

}  // namespace gable::cli
