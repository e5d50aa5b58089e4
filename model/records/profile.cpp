#include "model/records/profile.hpp"
#include "model/records/short_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

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
  return std::ranges::any_of(images, [&](const char* image) { return name.starts_with(image); });
}

// Functions that allocate for their callers in statically linked programs.
bool is_allocator(const std::string& function) {
  static const char* const functions[] = {
      "malloc",        "calloc",         "realloc",    "memalign", "aligned_alloc",
      "valloc",        "posix_memalign", "mmap",       "__mmap",   "__minimal_malloc",
      "operator new",  "memkind_",       "numa_alloc", "hbw_",     "__libc_",
      "_mid_memalign", "std::",          "mremap",     "shmat",    "sbrk"};
  return std::ranges::any_of(functions, [&](const char* name) { return function.starts_with(name); });
}

// A function of a library that allocates for its callers, such as omp_alloc, fftw_malloc and MPI_Alloc_mem.
bool is_library_allocator(const ProfileCaller& caller) {
  std::string name = caller.function;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return without_folders(caller.image).starts_with("lib") && name.find("alloc") != std::string::npos;
}

// Neither an allocator nor what begins a program.
bool may_ask(const ProfileCaller& caller) {
  return !caller.image.empty() && !is_allocator_image(caller.image) && !is_allocator(caller.function) &&
         !is_library_allocator(caller) && !is_system_path(caller.file) && caller.function != "_start";
}

int first_asker(const ProfileObject& object) {
  const auto& callers = object.callers;
  const auto find = [&](auto is_asker) {
    const auto found = std::ranges::find_if(callers, is_asker);
    return found == callers.end() ? -1 : static_cast<int>(found - callers.begin());
  };
  if (const int outside = find(may_ask); outside >= 0) return outside;
  const int named = find(
      [](const ProfileCaller& caller) { return !caller.function.empty() && !is_allocator(caller.function); });
  return named >= 0 || callers.empty() ? named : 0;
}

// The next caller that may ask, or -1 if it is of another program or library: those between belong to the C++
// library.
int next_asker(const ProfileObject& object) {
  const auto& callers = object.callers;
  for (int next = object.asker + 1; next < static_cast<int>(callers.size()); ++next) {
    if (callers[next].image != callers[object.asker].image) return -1;
    if (may_ask(callers[next])) return next;
  }
  return -1;
}

// A caller is known by its line, and by its code where that is not known.
using Asker = std::tuple<std::string, int, std::string, std::uint64_t>;

Asker asker_of(const ProfileObject& object) {
  const ProfileCaller& caller = object.callers[object.asker];
  return {caller.file, caller.line, caller.image, caller.line ? 0 : caller.offset};
}

// Whether all of them have a caller before this one, of the program too, and not all the same.
bool differ_before(const std::vector<ProfileObject*>& objects) {
  std::set<std::pair<std::string, std::uint64_t>> before;
  for (const ProfileObject* object : objects) {
    const int next = next_asker(*object);
    if (next < 0) return false;
    before.emplace(object->callers[next].file, object->callers[next].offset);
  }
  return before.size() > 1;
}

constexpr const char* no_symbol = "(no symbol)";

}  // namespace

std::string without_folders(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string function_name(const std::string& function) {
  return function.empty() ? no_symbol : function;
}

std::string object_word(const ProfileObject& object) {
  if (!object.name.empty() || object.asker < 0) return object.name;
  const std::string& function = object.callers[object.asker].function;
  return function.empty() ? "" : short_function(function);
}

std::string object_name(const ProfileObject& object) {
  if (object.asker < 0) {
    if (object.kind == ObjectKind::file) return without_folders(object.image);
    if (object.name.empty()) return name_of(object.kind);
    return object.image.empty() || object.name != no_symbol
               ? object.name
               : fmt::format("{} of {}", object.name, without_folders(object.image));
  }
  const ProfileCaller& caller = object.callers[object.asker];
  const std::string line = caller.line
                               ? fmt::format("{}:{}", without_folders(caller.file), caller.line)
                               : fmt::format("{}+{:#x}", without_folders(caller.image), caller.offset);
  const std::string word = object_word(object);
  const std::string name = word.empty() ? line : fmt::format("{} ({})", word, line);
  return object.kind == ObjectKind::file ? fmt::format("{} of {}", name, without_folders(object.image))
                                         : name;
}

void find_askers(std::vector<ProfileObject>& objects, const NamesEach& names_each) {
  for (ProfileObject& object : objects) object.asker = first_asker(object);
  // Each round moves the objects of a shared asker one caller up.
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::map<Asker, std::vector<ProfileObject*>> by_asker;
    for (ProfileObject& object : objects) {
      if (object.asker >= 0) by_asker[asker_of(object)].push_back(&object);
    }
    for (const auto& [asker, sharing] : by_asker) {
      if (!differ_before(sharing) || names_each(sharing)) continue;
      for (ProfileObject* object : sharing) object->asker = next_asker(*object);
      is_changed = true;
    }
  }
}

}  // namespace gable::model
