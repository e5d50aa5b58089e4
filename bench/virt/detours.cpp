#include "bench/virt/detours.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace gable::bench {

std::map<std::string, double> interrupts_of(unsigned cpu) {
  std::ifstream file("/proc/interrupts");
  std::string line, word;
  std::getline(file, line);
  std::istringstream header(line);
  std::size_t column = 0, columns = 0;
  bool known = false;
  for (; header >> word; ++columns) {
    if (word != fmt::format("CPU{}", cpu)) continue;
    column = columns;
    known = true;
  }
  std::map<std::string, double> counts;
  while (known && std::getline(file, line)) {
    std::istringstream in(line);
    std::string name, text;
    in >> name;
    double count = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      double value = 0;
      if (!(in >> value)) break;
      if (i == column) count = value;
    }
    in.clear();
    while (in >> word) text += " " + word;
    if (!name.empty() && name.back() == ':') name.pop_back();
    // "TLB: ... TLB shootdowns" has its name twice.
    if (count > 0) counts[text.starts_with(" " + name + " ") ? text.substr(1) : name + text] += count;
  }
  return counts;
}

double stolen_seconds(unsigned cpu) {
  std::ifstream file("/proc/stat");
  const std::string wanted = fmt::format("cpu{} ", cpu);
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    if (!line.starts_with(wanted)) continue;
    std::istringstream in(line.substr(wanted.size()));
    double value = 0;
    for (int field = 0; field < 8; ++field) in >> value;  // user nice system idle iowait irq softirq steal
    return value / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return 0;
}

}  // namespace gable::bench
