#include "points/counters/valgrind_run.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/temporary_folder.hpp"
#include "points/counters/environment.hpp"
#include "points/counters/unsupported.hpp"
#include "points/counters/valgrind.hpp"
#include "points/orphans.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "counts";
constexpr int most_threads = 2048;  // limit of simultaneous threads; Valgrind's own default is 500

// Rejects programs that Valgrind cannot run.
void check_program(const std::string& name) {
  const std::string file = find_program(name);
  if (const std::string more = privileges_of(file); !more.empty()) {
    throw Error::program(
        fmt::format("{}: it {}, which Valgrind cannot run: use a copy without these rights", file, more),
        126);
  }
  Elf64_Ehdr header = {};
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (std::string_view(reinterpret_cast<char*>(header.e_ident), SELFMAG) != ELFMAG) return;  // a script
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != program_kind.machine) {
    throw Error::program(fmt::format("{}: only {} programs are supported", file, program_kind.name), 126);
  }
}

// The path as a part of the option --log-file needs it.
std::string literal(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

std::vector<std::string> valgrind_command(const fs::path& tool, const fs::path& output,
                                          const Program& program, const std::vector<std::string>& options) {
  std::vector<std::string> command = {
      tool / "launch",
      "--tool=gable",
      "--command-line-only=yes",
      "--quiet",
      "--vgdb=no",
      "--show-emwarns=no",
      "--show-below-main=yes",
      "--trace-children=yes",
      "--fair-sched=try",
      "--sim-hints=fallback-llsc",  // AArch64: the tool stores between a load-exclusive and its store
      fmt::format("--max-threads={}", most_threads),
      fmt::format("--log-file={}/log.%p", literal(output.string())),
  };
  command.insert(command.end(), options.begin(), options.end());
  // Must be last: the tool takes the rest as the program.
  command.push_back(fmt::format("--counts={}", (output / prefix).string()));
  command.insert(command.end(), program.command.begin(), program.command.end());
  return command;
}

// The first line of Valgrind's own messages with these words, in any file or in this one.
std::string said(const fs::path& folder, std::string_view wanted = "", const std::string& log = "") {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (log.empty() ? !name.starts_with("log.") : name != log) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.find(wanted) != std::string::npos) return line;
    }
  }
  return {};
}

// Why nothing starts under the tool. Valgrind says that on standard error, which is the program's own.
std::string start_failure(const fs::path& tool, const fs::path& output) {
  const fs::path errors = output / "errors";
  std::vector<std::string> command = {"sh", "-c", "exec \"$@\" 2>\"$0\"", errors};
  for (const std::string& word : valgrind_command(tool, output, {{"true"}}, {})) command.push_back(word);
  const Ending ending = run(command, {});
  std::ifstream in(errors);
  std::string said;
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find_first_not_of(' ', line.starts_with("valgrind:") ? 9 : 0);
    if (begin != std::string::npos) said += (said.empty() ? "" : " ") + line.substr(begin);
  }
  return said.empty() ? "it says nothing, and " + in_words(ending) : said;
}

bool is_alive(int pid) {
  return kill(pid, 0) == 0 || errno == EPERM;
}

// No process stays behind under Valgrind, however the count ends.
class NoOrphans : public Orphans {
 public:
  NoOrphans() = default;
  ~NoOrphans() { end(); }
};

// While this lives, SIGTERM, SIGHUP, SIGINT and SIGQUIT wait until they are asked for. Other threads must not
// run.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) sigaddset(&held_, number);
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // Waits for so long, at most a second, or for a signal. Returns its number; 0: there was none.
  int wait(std::chrono::nanoseconds time) const {
    const timespec most = {0, time.count()};
    return std::max(0, sigtimedwait(&held_, nullptr, &most));
  }

 private:
  sigset_t held_ = {}, before_ = {};
};

[[noreturn]] void refuse_running(int pid) {
  throw Error::failed(
      fmt::format("{} is still running after the program's end, so its work cannot be counted: {}",
                  named_process(pid), how_to_end_with(pid)));
}

// A process may outlive its parent: waits some time for its end. Processes write at their end.
std::vector<ValgrindFile> read_when_all_ended(const fs::path& folder, Orphans& orphans) {
  constexpr auto patience = std::chrono::seconds(10);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const HeldSignals signals;
  for (;;) {
    const std::vector<int> running = orphans.running();
    const bool is_late = std::chrono::steady_clock::now() > deadline;
    if (running.empty()) {
      std::vector<ValgrindFile> files = read_valgrind_files(folder, prefix);
      const auto unfinished = std::ranges::find_if(
          files, [](const ValgrindFile& file) { return !file.whole && is_alive(file.process.pid); });
      if (unfinished == files.end()) return files;
      if (is_late) refuse_running(unfinished->process.pid);
    } else if (is_late) {
      refuse_running(running.front());
    }
    if (const int signal = signals.wait(std::chrono::milliseconds(20)); signal != 0)
      throw Error::program(fmt::format("signal {} while processes of the program still ran", signal),
                           128 + signal);
  }
}

std::string in_hex(const std::vector<std::uint8_t>& code) {
  return fmt::format("{:02x}", fmt::join(code, " "));
}

// What to say of a process that met this instruction.
std::string unsupported(const std::string& process, const std::vector<std::uint8_t>& code,
                        const std::string& otherwise) {
  const Extension extension = unsupported_extension(code);
  const bool is_known = !extension.name.empty();
  std::vector<std::string> cures;
  if (!otherwise.empty()) cures.push_back("count it with " + otherwise);
  if (is_known) cures.push_back(extension.cure);
  return fmt::format("{} at {}, which Valgrind does not support{}", process,
                     is_known ? extension.name : "the instruction " + in_hex(code),
                     cures.empty() ? "" : fmt::format(": {}", fmt::join(cures, ", or ")));
}

// A program may try an instruction and handle SIGILL. A process that died of it did not do all of its work,
// even if the program succeeds.
void check_instructions(const std::string& program, const ValgrindRun& run, const fs::path& output,
                        const std::string& otherwise) {
  const std::string fatal = fmt::format("default action of signal {} ", SIGILL);
  for (const ValgrindFile& file : run.files) {
    if (file.undecodable.empty() || is_trap(file.undecodable)) continue;
    if (run.ending.status != 0) {
      throw Error::program(unsupported(program + " " + in_words(run.ending), file.undecodable, otherwise),
                           run.ending.status);
    }
    const std::string pid = std::to_string(file.process.pid);
    if (!said(output, fatal, "log." + pid).empty())
      throw Error::failed(unsupported("process " + pid + " was killed", file.undecodable, otherwise));
  }
}

}  // namespace

bool has_valgrind_tool() {
  return !installed_valgrind_tool().empty();
}

ValgrindRun run_under_valgrind(const Program& program, const std::vector<std::string>& options,
                               const std::string& otherwise) {
  const fs::path tool = installed_valgrind_tool();
  if (const std::string why = valgrind_unavailable(); !why.empty()) throw Error::failed(why);
  if (program.command.empty()) throw Error::program("no program was given", 127);
  check_program(program.command.front());
  const TemporaryFolder output("counts");
  NoOrphans orphans;
  ValgrindRun done;
  done.ending = run(valgrind_command(tool, output.path, program, options), counting_environment());
  const std::string& name = program.command.front();
  if (!said(output.path, "--max-threads=").empty()) {
    throw Error::failed(
        fmt::format("{} has more than {} threads at once, too many for Valgrind", name, most_threads));
  }
  done.files = read_when_all_ended(output.path, orphans);
  done.said = said(output.path);
  check_instructions(name, done, output.path, otherwise);
  if (done.files.empty()) {
    throw Error::program(fmt::format("{} could not be started under Valgrind: {}", name,
                                     done.said.empty() ? start_failure(tool, output.path) : done.said),
                         done.ending.status == 0 ? 1 : done.ending.status);
  }
  return done;
}

void check_whole(const ValgrindRun& run) {
  std::map<std::pair<int, int>, const ValgrindFile*> by_image;
  for (const ValgrindFile& file : run.files) by_image[{file.process.pid, file.image}] = &file;
  for (const ValgrindFile& file : run.files) {
    if (!file.whole) {
      throw Error::failed(fmt::format(
          "process {} did not write its counts: it was killed, changed its root folder or user, "
          "or the disk of the temporary folder ({}) is full{}",
          file.process.pid, fs::temp_directory_path().string(), run.said.empty() ? "" : ": " + run.said));
    }
    if (file.replaced && !by_image.contains({file.process.pid, file.image + 1})) {
      throw Error::failed(
          fmt::format("process {} executed a program that Valgrind cannot run (setuid, or not {})",
                      file.process.pid, program_kind.name));
    }
  }
}

}  // namespace gable::points
