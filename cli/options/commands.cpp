#include "cli/options/commands.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/format_error.hpp"
#include "base/words.hpp"
#include "cli/errors.hpp"
#include "cli/interrupt.hpp"
#include "cli/version.hpp"
#include "machines/machine.hpp"
#include "points/counters/counts.hpp"
#include "points/policy.hpp"

namespace gable::cli {

namespace {

struct Entry {
  const char* name;
  const char* summary;
  void (*define)(CLI::App&);
};

constexpr Entry commands[] = {
    {"machine", "show clusters, caches, memory nodes, ISAs and page sizes", define_machine},
    {"measure", "measure this machine into a folder; resumes what is there", define_measure},
    {"bench", "one figure: the bandwidth, peak or latency of one operation and size", define_bench},
    {"fit", "make roofs.json and hybrid.json from the samples of a folder; or fit a --grid", define_fit},
    {"show", "the figures of a recorded folder, or of a published machine such as joe0", define_show},
    {"place", "run a workload with its parts in one memory or another", define_place},
    {"plot", "draw the charts of a folder", define_plot},
    {"report", "all that a folder has as one HTML file, to read and to send", define_report},
    {"point", "where programs stand under the roofs: run, add, import, list, remove", define_point},
    {"predict", "bandwidth of loads and stores over two memories, and the best page interleave",
     define_predict},
    {"export", "tables as CSV, or hwloc XML with the measured values", define_export},
    {"kmaf", "thread and data affinity: managed runs, traces and their metrics, replays", define_kmaf},
};

// A first word that is neither an option nor a command.
std::string unknown_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  for (const Entry& entry : commands) {
    if (std::string_view(argv[1]) == entry.name) return {};
  }
  return argv[1];
}

int complain(const std::exception& error, int status) {
  std::fprintf(stderr, "gable: %s\n", printable(error.what()).c_str());
  return status;
}

int complain(const std::filesystem::filesystem_error& error) {
  std::fprintf(stderr, "gable: %s: %s\n", error.path1().c_str(), error.code().message().c_str());
  return 1;
}

// 0 or `status` when all that was printed has been written.
int finish(int status = 0) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  if (errno == EPIPE) return 1;  // the reader had enough
  return complain(std::runtime_error("cannot write to standard output"), 1);
}

// What is there, as it says itself; then the death that the caller's shell waits for.
[[noreturn]] void end_interrupted(const Interrupted& interrupted) {
  finish();
  complain(interrupted, 1);
  end_by_signal();
}

// Options after a program's name are gable's own without "--".
void hint_at_separator(const CLI::App& app, int argc, char** argv) {
  const CLI::App* last = &app;
  while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
  if (last->get_option_no_throw("COMMAND") == nullptr) return;
  if (std::find(argv, argv + argc, std::string_view("--")) != argv + argc) return;
  std::fputs("gable: the program and its arguments stand after --, as in  -- ./app arguments\n", stderr);
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app{"Gable measures a machine's memory and draws its Locality-Aware Roofline Model.", "gable"};
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  for (const Entry& entry : commands) entry.define(*app.add_subcommand(entry.name, entry.summary));
  if (const std::string unknown = unknown_command(argc, argv); !unknown.empty()) {
    std::fprintf(stderr, "gable: no command '%s'; see gable --help\n", unknown.c_str());
    return 2;
  }
  try {
    app.parse(argc, argv);
    return finish();
  } catch (const CLI::Success& success) {  // --help or --version
    return finish(app.exit(success));
  } catch (const ProgramEnded& ended) {
    return ended.status;
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    hint_at_separator(app, argc, argv);
    return 2;
  } catch (const Interrupted& interrupted) {
    end_interrupted(interrupted);
  } catch (const UsageError& error) {
    return complain(error, 2);
  } catch (const FormatError& error) {
    return complain(error, 2);
  } catch (const machines::TopologyError& error) {
    return complain(error, 2);
  } catch (const points::PolicyError& error) {
    return complain(error, 2);
  } catch (const points::ProgramError& error) {
    return complain(error, error.status);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(error);
  } catch (const std::exception& error) {
    return complain(error, 1);
  }
}

}  // namespace gable::cli
