#include "cli/point/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/points/headroom.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/roofs/interval.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

using model::Point;
using model::Reading;

constexpr std::size_t widest_line = 110;

std::string four_digits(double value) {
  if (value >= 1000 && value < 1e7) return fmt::format("{:.0f}", value);
  return value > 0 && (value < 0.01 || value >= 1e5) ? fmt::format("{:.3g}", value)
                                                     : fmt::format("{:.4g}", value);
}

// Two decimals, and three digits of what is smaller.
std::string times(double factor) {
  return factor < 0.1 ? fmt::format("{:.3g}", factor) : fmt::format("{:.2f}", factor);
}

std::string runs_of(const Point& point) {
  if (point.simulated) return "simulated";
  return point.repetitions < 2 ? "one run" : fmt::format("{} runs", point.repetitions);
}

std::string seconds_text(const Point& point) {
  const bool has_interval = point.repetitions > 1 || (point.simulated && point.seconds_lo < point.seconds_hi);
  if (!has_interval) return fmt::format("{} s ({})", four_digits(point.seconds), runs_of(point));
  const double half = std::max(point.seconds_hi - point.seconds, point.seconds - point.seconds_lo);
  if (half >= point.seconds)
    return fmt::format("{} s ({}, 95 % interval {} to {} s)", four_digits(point.seconds), runs_of(point),
                       four_digits(point.seconds_lo), four_digits(point.seconds_hi));
  const auto percent = model::interval_percent(point.seconds, point.seconds_lo, point.seconds_hi);
  return fmt::format("{} s ±{:.1f} % ({})", four_digits(point.seconds), percent.value_or(0), runs_of(point));
}

// The start of any program takes a few flops.
bool has_flops(const Point& point, const Reading& reading) {
  constexpr double hardly_any = 1e-6;  // flops per byte
  return point.flops > 0 && reading.flop_per_byte >= hardly_any;
}

std::string stands(const Point& point, const Reading& reading) {
  std::string text = point.cluster < 0 ? "all clusters, each: " : "";
  const bool computes = has_flops(point, reading);
  if (computes) text += fmt::format("{} GFlop/s", four_digits(reading.gflop_per_s));
  if (computes && std::isfinite(reading.flop_per_byte))
    text += fmt::format(" at {} flop/byte, ", four_digits(reading.flop_per_byte));
  if (std::isfinite(reading.flop_per_byte)) text += fmt::format("{} GB/s", four_digits(reading.gb_per_s));
  return text + ", " + seconds_text(point);
}

// The text, folded and with every line indented.
std::string wrapped(const std::string& text) {
  return text.empty() ? "" : folded("  " + text, 2, std::min(widest_line, sentence_columns()));
}

// The text at the indent of a point; further lines of it are indented more.
std::string item(const std::string& text) {
  return folded("  " + text, 4, std::min(widest_line, sentence_columns()));
}

// The name of the program of a point of one of its regions or clusters.
std::string program_of(const Point& point) {
  for (const std::string& part : {": " + point.region, fmt::format(" (cluster {})", point.cluster)}) {
    if (point.name.ends_with(part)) return point.name.substr(0, point.name.size() - part.size());
  }
  return point.name == point.region ? "" : point.name;
}

// Points that follow each other and were made together: of the regions or clusters of a program, or of a
// file.
std::size_t end_of_group(const std::vector<Point>& points, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < points.size() && points[end].started == points[begin].started &&
         program_of(points[end]) == program_of(points[begin]))
    ++end;
  return end;
}

// The notes of all of several points, which are said once.
model::Notes shared_notes(std::span<const Point> points) {
  model::Notes shared;
  if (points.size() < 2) return shared;
  for (const model::Note& note : points.front().notes) {
    const auto has = [&](const Point& point) { return is_among(point.notes, note); };
    if (std::ranges::all_of(points, has)) shared.push_back(note);
  }
  return shared;
}

std::string functions_of(const Point& point, const Reading& reading, const Details& details) {
  constexpr std::size_t few = 5;
  if (!details.functions && !details.times) return {};
  const bool is_region = !point.region.empty();  // its functions are not counted
  if (!details.functions && is_region) return {};
  if (!details.functions) return table_text(function_times(point, reading, few), false);
  if (point.functions.empty() && details.say_missing && is_region)
    return "  functions are not counted by region\n";
  if (point.functions.empty() && details.say_missing)
    return "  its functions were not counted (gable point run --functions)\n";
  return function_table(point, reading);
}

std::string objects_of(const Point& point, const Details& details) {
  if (!details.objects) return {};
  if (point.objects.empty() && details.say_missing)
    return "  its objects are not known (gable point run --counter profile)\n";
  return object_table(point);
}

// "flops differ by 64 %, bytes by 12 %": the work of `other` and that of `one`; empty if by 2 % or less.
std::string work_difference(const Point& one, const Point& other) {
  constexpr double same_work = 0.02;
  std::string text;
  const auto add = [&](const char* what, double before, double after) {
    if (std::abs(after - before) <= same_work * before) return;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", what, text.empty() ? " differ" : "");
    text += before > 0 ? fmt::format(" by {:.0f} %", 100 * std::abs(after / before - 1)) : " from 0";
  };
  add("flops", one.flops, other.flops);
  add("bytes", one.load_bytes + one.store_bytes, other.load_bytes + other.store_bytes);
  return text;
}

}  // namespace

std::string who_text(const Point& point) {
  std::string text = point.cluster < 0 ? "all clusters" : fmt::format("cluster {}", point.cluster);
  if (point.cluster >= 0 && !point.alone) text += ", the others busy";
  if (point.threads > 0) text += ", " + count_text(point.threads, "thread");
  if (point.cores > 0) text += " on " + count_text(point.cores, "core");
  if (!point.policy.empty()) text += ", " + point.policy;
  return text + (point.counter == "given" || point.counter == "add" ? ", figures given"
                                                                    : ", counted by " + point.counter);
}

std::string recorded_clause(const Point& point) {
  return point.started.empty() ? "" : ", recorded " + when_text(point.started);
}

std::string access_text(const Point& point) {
  if (point.access_source == model::AccessSource::none) return {};
  if (point.access.empty())
    return fmt::format("accesses to memory {}: none", row_of(point.access_source).words);
  return fmt::format("accesses to memory {}: {}; {} of the bytes are loads", model::access_source_text(point),
                     model::shares_text(model::node_shares(point)),
                     percent_text(100 * model::memory_load_share(point)));
}

std::string gain_text(const Point& point, const std::vector<Point>& all) {
  const auto before = std::ranges::find(all, point.from, &Point::name);
  if (before == all.end()) return {};
  if (const std::string difference = work_difference(*before, point); !difference.empty())
    return fmt::format("from {}: its work is not the same ({}), so their times are not compared", point.from,
                       difference);
  const auto seconds = [](const Point& of) {
    return model::Estimate{of.seconds, of.seconds_lo, of.seconds_hi, of.repetitions};
  };
  const auto [least, most] = model::ratio_interval(seconds(*before), seconds(point));
  const std::string range = point.simulated
                                ? " by the replay"  // whose interval alone counts: the note has it
                            : least < most ? fmt::format(" ({} to {})", times(least), times(most))
                                           : " (one run each: no interval)";
  return fmt::format("from {}: {} s to {} s, {} times as fast{}", point.from, four_digits(before->seconds),
                     four_digits(point.seconds), times(before->seconds / point.seconds), range);
}

namespace {

std::string one_point(const Point& point, const Reading& reading, const std::vector<Point>& all,
                      const model::Notes& said_once) {
  std::string text = fmt::format("{} ({})\n", point.name, who_text(point));
  const model::Verdict& verdict = reading.verdict;
  if (!verdict.empty()) text += item(capitalized(verdict.answer) + ".");
  if (!verdict.advice.empty()) text += item("To do: " + verdict.advice + ".");
  text += wrapped(stands(point, reading) + recorded_clause(point));
  text += wrapped(access_text(point));
  if (!point.from.empty()) text += wrapped(gain_text(point, all));
  if (!reading.roof.empty())
    text += item(fmt::format("Roof: {}; headroom {}", reading.roof, model::headroom_text(reading)));
  for (const std::string& remark : verdict.remarks) text += item(remark);
  for (const model::Note& note : point.notes) {
    if (!is_among(said_once, note)) text += wrapped("note: " + sentence(note));
  }
  return text;
}

}  // namespace

std::string point_table(const std::vector<Point>& points, const std::vector<Reading>& readings,
                        const std::vector<Point>& all, const Details& details) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    end = end_of_group(points, begin);
    const std::span group(points.begin() + static_cast<std::ptrdiff_t>(begin), end - begin);
    const model::Notes shared = shared_notes(group);
    const bool same_functions = std::ranges::all_of(
        group, [&](const Point& point) { return point.functions == group.front().functions; });
    for (std::size_t i = begin; i < end; ++i) {
      text += (i > 0 ? "\n" : "") + one_point(points[i], readings.at(i), all, shared);
      text += objects_of(points[i], details);
      if (!same_functions || i + 1 == end) text += functions_of(points[i], readings.at(i), details);
    }
    for (const model::Note& note : shared)
      text += wrapped(fmt::format("note on {}: {}",
                                  group.size() == 2 ? "both" : fmt::format("all {}", group.size()),
                                  sentence(note)));
  }
  return text;
}

std::string summary_table(const std::vector<Point>& points, const std::vector<Reading>& readings) {
  Table table{"", columns({"point"}, {"threads", "GFlop/s", "flop/byte", "GB/s", "s"}, {"roof; headroom"})};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    const Reading& reading = readings.at(i);
    const bool has_bytes = std::isfinite(reading.flop_per_byte), computes = has_flops(point, reading);
    table.rows.push_back({point.name, point.threads > 0 ? fmt::format("{}", point.threads) : "?",
                          computes ? four_digits(reading.gflop_per_s) : "-",
                          computes && has_bytes ? four_digits(reading.flop_per_byte) : "-",
                          has_bytes ? four_digits(reading.gb_per_s) : "-", four_digits(point.seconds),
                          reading.roof.empty()
                              ? "none known"
                              : fmt::format("{}; {}", reading.roof, model::headroom_text(reading))});
  }
  return table_text(table, false);
}

}  // namespace gable::cli
