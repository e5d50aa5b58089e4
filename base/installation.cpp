#include "base/installation.hpp"

#include <initializer_list>
#include <system_error>

namespace gable {

namespace fs = std::filesystem;

namespace {

// The first of these places, seen from the program, that has this file; ".": that is a folder.
fs::path first_with(const char* file, std::initializer_list<const char*> places) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  for (const char* place : places) {
    fs::path folder = (program / place).lexically_normal();
    if (fs::exists(folder / file, error)) return folder;
  }
  return {};
}

}  // namespace

fs::path own_program() {
  const fs::path path = fs::read_symlink("/proc/self/exe");
  const bool is_loader = path.filename().string().starts_with("ld-");  // of a bundle
  return is_loader ? path.parent_path().parent_path() / "gable" : path;
}

fs::path installed_machines() {
  return first_with(".", {"../share/gable/machines", "../machines"});
}

fs::path installed_valgrind_tool() {
  return first_with("launch", {"libexec/gable/valgrind", "../libexec/gable/valgrind"});
}

}  // namespace gable
