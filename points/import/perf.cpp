// perf stat -j: one JSON object per line and counter.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "points/counters/events.hpp"
#include "points/import/csv.hpp"
#include "points/import/import.hpp"

namespace gable::points {

namespace {

using nlohmann::json;

// Text or number, depending on the version of perf.
double value_of(const json& line, const std::string& where, const std::string& event) {
  const auto found = line.find("counter-value");
  if (found == line.end()) throw Error::format(where, fmt::format("{} has no \"counter-value\"", event));
  if (found->is_number()) return found->get<double>();
  double value = 0;
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  if (!to_number(text, value))
    throw Error::format(where, fmt::format("\"counter-value\" of {} is not a number: '{}'", event, text));
  return value;
}

// Null for text that is not JSON.
json json_of(const std::string& line) {
  if (nests_too_deep(line)) return {};
  try {
    return json_from(line);
  } catch (const json::parse_error&) {
    return {};
  }
}

bool was_not_counted(const json& line) {
  const auto found = line.find("counter-value");
  return found != line.end() && found->is_string() && found->get<std::string>().starts_with("<not ");
}

}  // namespace

std::vector<ImportedRegion> import_perf(const std::string& text, const std::string& path) {
  std::map<std::string, double> events;
  std::vector<std::string> lost;
  ImportedRegion whole;
  double least_running = 100;
  TextStream lines(text);
  int number = 0;
  for (std::string raw; std::getline(lines, raw);) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    if (raw.find_first_not_of(" \t\r") == std::string::npos || raw.starts_with('#')) continue;
    const json line = json_of(raw);
    if (!line.is_object())
      throw Error::format(
          where, "not a line of `perf stat -j`; perf's own messages do not belong in the file (-o FILE)");
    if (line.contains("interval")) throw Error::format(where, "written with perf stat -I; omit -I");
    const auto event = line.find("event");
    if (event == line.end() || !event->is_string()) continue;  // a line with only a metric
    const std::string name = event_name(event->get<std::string>());
    if (was_not_counted(line)) {
      lost.push_back(event->get<std::string>());
      continue;
    }
    const double value = value_of(line, where, event->get<std::string>());
    if (const auto running = line.find("pcnt-running");
        running != line.end() && running->is_number() && value > 0)
      least_running = std::min(least_running, running->get<double>());
    if (name == "DURATION_TIME") {
      whole.seconds = value / 1e9;
    } else {
      events[name] += value;
    }
  }
  if (events.empty() && !whole.seconds)
    throw Error::format(path, "no counter; write it with `perf stat -j -o FILE -e duration_time,... ./app`");
  const EventSums sums = sums_of(events);
  if (sums.flops.empty() && !lost.empty())
    throw Error::format(path,
                        fmt::format("perf did not count {}: this machine has no such counter", lost.front()));
  whole.work.flops = sums.flops;
  whole.loads = sums.loads;
  whole.stores = sums.stores;
  for (const std::string& name : lost) whole.notes.push_back(name + " was not counted");
  if (!sums.missing.empty())
    whole.notes.push_back("flops may be too low, as these were not counted: " + sums.missing);
  if (least_running < 99.9) {
    whole.notes.push_back(fmt::format(
        "counters were multiplexed: one counted {:.0f} % of the time and perf scaled it up", least_running));
  }
  return {whole};
}

}  // namespace gable::points
