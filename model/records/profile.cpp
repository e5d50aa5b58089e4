#include "model/records/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gable::model {
namespace {

bool is_system_path(const std::string& path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/gcc/");
}

// Libraries that allocate for their callers.
bool is_allocator_image(const std::string& path) {
  static const char* const images[] = {"libc.so",     "libc-",       "libstdc++",   "libc++",
                                       "libmemkind",  "libnuma",     "libgfortran", "libjemalloc",
                                       "libtcmalloc", "libmimalloc", "ld-linux"};
  const std::string name = without_folders(path);
  return std::any_of(std::begin(images), std::end(images),
                     [&](const char* image) { return name.starts_with(image); });
}

// Functions that allocate for their callers in statically linked programs.
bool is_allocator(const std::string& function) {
  static const char* const functions[] = {"malloc",        "calloc",        "realloc",        "memalign",
                                          "aligned_alloc", "valloc",        "posix_memalign", "mmap",
                                          "operator new",  "memkind_",      "numa_alloc",     "hbw_",
                                          "__libc_",       "_mid_memalign", "std::"};
  return std::any_of(std::begin(functions), std::end(functions),
                     [&](const char* name) { return function.starts_with(name); });
}

}  // namespace

std::string without_folders(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

const ProfileCaller* allocating_caller(const ProfileObject& object) {
  for (const ProfileCaller& caller : object.callers) {
    if (!is_allocator_image(caller.image) && !is_allocator(caller.function) && !is_system_path(caller.file)) {
      return &caller;
    }
  }
  return object.callers.empty() ? nullptr : &object.callers.back();
}

std::string object_name(const ProfileObject& object) {
  const ProfileCaller* const caller = allocating_caller(object);
  if (!caller) return object.name.empty() ? object.kind : object.name;
  const std::string line = caller->line
                               ? fmt::format("{}:{}", without_folders(caller->file), caller->line)
                               : fmt::format("{}+{:#x}", without_folders(caller->image), caller->offset);
  if (!object.name.empty()) return fmt::format("{} ({})", object.name, line);
  return caller->function.empty() ? line : fmt::format("{} ({})", caller->function, line);
}

}  // namespace gable::model
