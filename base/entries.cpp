#include "base/entries.hpp"

#include <dirent.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace gable {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return names;
  while (const dirent* const entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

std::vector<int> numbers_in(const std::string& folder, int least) {
  std::vector<int> numbers;
  for (const std::string& name : names_in(folder)) {
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
    if (const int number = std::atoi(name.c_str()); number >= least) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace gable
