#include "points/run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/reading.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;

constexpr int cannot_run = 126, not_found = 127;  // as in POSIX shells

bool is_runnable(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

[[noreturn]] void refuse(const std::string& name) {
  std::error_code ignored;
  if (!fs::exists(name, ignored)) throw Error::program(name + ": no such program", not_found);
  const char* const why =
      fs::is_directory(name, ignored) ? "a folder" : "not executable (chmod +x makes it so)";
  throw Error::program(fmt::format("{}: this is {}", name, why), cannot_run);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!is_runnable(name)) refuse(name);
    return name;
  }
  const char* const path = getenv("PATH");
  TextStream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (is_runnable(file)) return file;
  }
  const std::string hint = is_runnable("./" + name) ? fmt::format("; ./{} is the one here", name) : "";
  throw Error::program(fmt::format("{}: no folder in PATH has this program{}", name, hint), not_found);
}

std::string privileges_of(const std::string& file) {
  struct stat seen = {};
  if (stat(file.c_str(), &seen) == 0 && (seen.st_mode & (S_ISUID | S_ISGID)) != 0)
    return "is setuid or setgid";
  return getxattr(file.c_str(), "security.capability", nullptr, 0) > 0 ? "has file capabilities" : "";
}

Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  return run(command, environment, [](RunningProgram& program) {
    program.go();
    return program.finish();
  });
}

Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment,
           const std::function<Ending(RunningProgram&)>& follow) {
  if (command.empty()) throw Error::program("no program was given", not_found);
  const std::string file = find_program(command.front());
  try {
    RunningProgram program({.command = command, .file = file, .environment = environment, .waits = true});
    return follow(program);
  } catch (const std::system_error& error) {
    throw Error::program(error.what(), cannot_run);
  }
}

void require_success(const std::string& program, const Ending& ending) {
  if (ending.status == 0) return;
  throw Error::program(
      fmt::format("{} {}: its counts do not cover a complete run", program, in_words(ending)), ending.status);
}

}  // namespace gable::points
