#include "kmaf/live/program/processes.hpp"

#include <fstream>

#include "base/files.hpp"
#include "base/lists.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

unsigned long long number_in_stat(pid_t pid, int place) {
  std::string text;
  try {
    text = read_whole("/proc/" + std::to_string(pid) + "/stat");
  } catch (const std::system_error&) {
    return 0;  // it has ended
  }
  return machines::stat_field(text, place).value_or(0);
}

std::vector<std::string> open_files_of(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
  return each_of(numbers_in(folder, 0), [&](int number) { return folder + "/" + std::to_string(number); });
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

double virtual_pages(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  double size = 0;
  file >> size;
  return size;
}

double resident_pages(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

double thread_cpu_seconds(pid_t pid, pid_t tid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/schedstat");
  double nanoseconds = 0;
  file >> nanoseconds;
  return 1e-9 * nanoseconds;
}

}  // namespace gable::kmaf::live
