#include "cli/point/run/program_name.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"
#include "points/counters/counts.hpp"
#include "points/run.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

bool is_launcher(std::string_view name) {
  constexpr std::string_view launchers[] = {
      "aprun",   "chrt",    "env",     "hwloc-bind", "ionice", "likwid-pin", "mpiexec", "mpirun", "nice",
      "numactl", "orterun", "prterun", "setarch",    "srun",   "stdbuf",     "taskset", "time",   "timeout"};
  return std::ranges::find(launchers, name) != std::end(launchers);
}

// Whether the program is an interpreter, with any version behind its name.
bool is_interpreter(std::string_view name) {
  constexpr std::string_view interpreters[] = {"bash",   "dash", "java",    "julia", "ksh", "perl",
                                               "python", "ruby", "Rscript", "sh",    "zsh"};
  const std::string_view plain = name.substr(0, name.find_last_not_of("0123456789.") + 1);
  return std::ranges::find(interpreters, plain) != std::end(interpreters);
}

bool is_program(const std::string& word) {
  if (word.empty() || word.starts_with('-') || word.find('=') != std::string::npos) return false;
  try {
    points::find_program(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool is_file(const std::string& word) {
  std::error_code error;
  return fs::is_regular_file(word, error);
}

}  // namespace

std::string program_name(std::span<const std::string> command) {
  const std::string name = fs::path(command.front()).filename();
  const auto rest = command.subspan(1);
  if (is_launcher(name)) {
    const auto program = std::ranges::find_if(rest, is_program);
    if (program != rest.end()) return program_name({program, rest.end()});
  }
  if (!is_interpreter(name)) return name;
  const auto script = std::ranges::find_if(rest, is_file);
  return script == rest.end() ? name : fs::path(*script).filename().string();
}

}  // namespace gable::cli
