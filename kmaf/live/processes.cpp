#include "kmaf/live/processes.hpp"

#include <dirent.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace gable::kmaf::live {

namespace {

std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> numbers;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return numbers;
  while (const dirent* const entry = readdir(open.get())) {
    if (const pid_t number = std::atoi(entry->d_name); number > 0) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

unsigned long long number_in_stat(pid_t pid, int place) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  // The second is the name in brackets, which may hold anything.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int number = 3; number < place; ++number) fields >> skipped;
  unsigned long long value = 0;
  fields >> value;
  return value;
}

std::vector<pid_t> threads_of(pid_t pid) {
  return numbers_in("/proc/" + std::to_string(pid) + "/task");
}

ProcessTree::ProcessTree() {
  for (const pid_t each : numbers_in("/proc"))
    children_.emplace(static_cast<pid_t>(number_in_stat(each, 4)), each);
}

std::vector<pid_t> ProcessTree::with_descendants(pid_t pid) const {
  std::vector<pid_t> found = {pid};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children_.equal_range(found[i]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  return found;
}

double resident_pages(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

}  // namespace gable::kmaf::live
