#include "points/import/perf_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/reading.hpp"
#include "points/counters/events.hpp"
#include "points/counters/flop_events.hpp"

namespace gable::points {

namespace {

// One line.
struct Reading {
  std::string event;  // as perf writes it
  std::string where;  // "FILE:LINE"
  double count = 0;
  double running = 100;  // percentage of the time in which it was counted
  bool counted = true;
  unsigned modes = 0;  // user, kernel, hypervisor: a bit each
};

// What makes two lines count the same: the unit, the event, and the CPU, socket, thread or control group.
using Source = std::tuple<std::string, std::string, std::string>;

// Text or number, depending on the version of perf.
double value_of(const Json& line, const std::string& where, const std::string& event) {
  const auto found = line.find("counter-value");
  if (found == line.end()) throw Error::format(where, event + " has no \"counter-value\"");
  if (found->is_number()) return found->get<double>();
  double value = 0;
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  if (!to_number(text, value))
    throw Error::format(where, fmt::format("\"counter-value\" of {} is not a number: '{}'{}", event, text,
                                           comma_advice(text)));
  return value;
}

// Null for text that is not JSON.
Json json_of(const std::string& line) {
  if (nests_too_deep(line)) return {};
  try {
    return json_from(line);
  } catch (const Json::parse_error&) {
    return {};
  }
}

[[noreturn]] void refuse_line(const std::string& where, const std::string& line) {
  for (const char* key : {"\"pcnt-running\"", "\"metric-value\"", "\"counter-value\""}) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) continue;
    const std::size_t end = line.find(", \"", at);
    if (const std::string advice = comma_advice(line.substr(at, end - at)); !advice.empty())
      throw Error::format(where, "not JSON" + advice);
  }
  throw Error::format(
      where, "not a line of `perf stat -j`; perf's own messages do not belong in the file (-o FILE)");
}

bool was_not_counted(const Json& line) {
  const auto found = line.find("counter-value");
  return found != line.end() && found->is_string() && found->get<std::string>().starts_with("<not ");
}

// The fields that say on which CPU, socket, thread or control group it was counted: all but those of the
// count.
std::string place_of(const Json& line) {
  static constexpr std::array<std::string_view, 11> of_count = {
      "counter-value", "unit",        "event",       "event-runtime",    "pcnt-running",
      "metric-value",  "metric-unit", "metric-name", "metric-threshold", "aggregate-number",
      "variance"};
  std::string place;
  for (const auto& [key, value] : line.items()) {
    if (!is_among(of_count, key) && key != "counters") place += key + "=" + json_text(value) + ";";
  }
  return place;
}

// Without a modifier a counter counts in every mode.
unsigned modes_of(std::string_view modifiers) {
  constexpr std::string_view letters = "ukh";
  constexpr unsigned all = 7;
  unsigned modes = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (modifiers.find(letters[i]) != std::string_view::npos) modes |= 1u << i;
  }
  return modes == 0 ? all : modes;
}

bool is_of_guests(std::string_view modifiers) {
  return modifiers.find('G') != std::string_view::npos && modifiers.find('H') == std::string_view::npos;
}

void add_line(const Json& line, const std::string& where, std::map<Source, std::vector<Reading>>& readings) {
  if (line.contains("interval")) throw Error::format(where, "written with perf stat -I; omit -I");
  const auto event = line.find("event");
  if (event == line.end() || !event->is_string()) return;  // a line with only a metric
  Reading one;
  one.event = event->get<std::string>();
  one.where = where;
  one.counted = !was_not_counted(line);
  if (one.counted) one.count = value_of(line, where, one.event);
  if (const auto running = line.find("pcnt-running"); running != line.end() && running->is_number())
    one.running = running->get<double>();
  const std::string_view modifiers = event_modifiers(one.event);
  one.modes = modes_of(modifiers);
  const std::string place = place_of(line) + (is_of_guests(modifiers) ? "guests" : "");
  readings[{std::string(event_unit(one.event)), event_name(one.event), place}].push_back(one);
}

// Two counts of the same: of two groups of one run, unless they differ.
void merge(Reading& known, const Reading& again) {
  constexpr double alike = 0.02, few = 1000, always = 99.9;  // few: counts of the start and the end
  if (!again.counted) return;
  const bool differ = std::abs(known.count - again.count) > std::max(few, alike * known.count);
  if (known.counted && differ && known.running > always && again.running > always)
    throw Error::format(
        again.where,
        fmt::format(
            "{} is there a second time, with another count ({:.6g}, before {:.6g}): the file holds several "
            "runs (perf stat --append); import them one by one",
            again.event, again.count, known.count));
  if (!known.counted || again.running > known.running) known = again;
}

// The counts of one event at one place, one for each set of modes that was asked for.
std::vector<Reading> once_each(const std::vector<Reading>& readings) {
  std::vector<Reading> kept;
  for (const Reading& reading : readings) {
    const auto same = std::ranges::find(kept, reading.modes, &Reading::modes);
    if (same == kept.end()) {
      kept.push_back(reading);
    } else {
      merge(*same, reading);
    }
  }
  return kept;
}

void add_source(const std::vector<Reading>& readings, PerfUnit& unit, double& least_running) {
  std::vector<Reading> counted = once_each(readings);
  std::erase_if(counted, [](const Reading& reading) { return !reading.counted; });
  if (counted.empty()) return unit.lost.push_back(readings.front().event);
  std::vector<unsigned> modes;
  for (const Reading& reading : counted) modes.push_back(reading.modes);
  double& sum = unit.counts[counted.front().event];
  for (const std::size_t i : best_cover(modes)) {
    sum += counted[i].count;
    if (counted[i].count > 0) least_running = std::min(least_running, counted[i].running);
  }
}

}  // namespace

PerfCounters perf_counters(const std::string& text, const std::string& path) {
  std::map<Source, std::vector<Reading>> readings;
  TextStream lines(text);
  int number = 0, runs = 0;
  for (std::string raw; std::getline(lines, raw);) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    if (raw.starts_with("# started on") && ++runs > 1)
      throw Error::format(where, "a second run begins here (perf stat --append): import the runs one by one");
    if (raw.find_first_not_of(" \t\r") == std::string::npos || raw.starts_with('#')) continue;
    const Json line = json_of(raw);
    if (!line.is_object()) refuse_line(where, raw);
    add_line(line, where, readings);
  }
  PerfCounters counters;
  for (const auto& [source, each] : readings)
    add_source(each, counters.units[std::get<0>(source)], counters.least_running);
  return counters;
}

}  // namespace gable::points
