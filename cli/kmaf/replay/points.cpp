#include "cli/kmaf/replay/replay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/visit/utc.hpp"
#include "cli/folder.hpp"
#include "cli/point/point.hpp"
#include "cli/points_file.hpp"
#include "cli/text/message.hpp"
#include "model/points/access.hpp"

namespace gable::cli {

namespace {

// Why the point does not show the program as the replay's OS runs it; empty if it does.
std::string mismatch(const model::Point& point, const kmaf::ReplayResult& result) {
  if (point.threads > 0 && point.threads != result.threads)
    return fmt::format("its point has {}, and the trace {}", count_text(point.threads, "thread"),
                       result.threads);
  if (point.cluster >= 0)
    return fmt::format("its point is of cluster {} alone, and the replay is of the whole machine",
                       point.cluster);
  if (!point.policy.empty() && point.policy != "first-touch")
    return fmt::format("its point has the memory policy {}, and the replay's OS places pages by first touch",
                       point.policy);
  return {};
}

// Half the interval of a figure as a logarithm.
double half_width(double value, double hi) {
  return std::log(hi / value);
}

void scale_seconds(model::Point& point, const kmaf::Summary& ratio) {
  const double half = std::hypot(
      std::max(half_width(point.seconds, point.seconds_hi), half_width(point.seconds_lo, point.seconds)),
      half_width(ratio.value, ratio.hi));
  point.seconds *= ratio.value;
  point.seconds_lo = point.seconds * std::exp(-half);
  point.seconds_hi = point.seconds * std::exp(half);
}

// The accesses of the trace as those of the point: by its bytes at memory level, or else as many of them for
// each byte that its instructions request as in the trace.
void set_access(model::Point& point, const kmaf::ReplayResult& result,
                const std::vector<model::NodeAccess>& of_trace) {
  const auto sum = [&](double model::NodeAccess::*bytes) {
    return std::accumulate(of_trace.begin(), of_trace.end(), 0.0,
                           [&](double all, const model::NodeAccess& one) { return all + one.*bytes; });
  };
  const bool measured = !point.levels.empty() && is_memory(point.levels.back().level);
  const model::LoadStore most = model::most_of_memory(point);
  const double requested = static_cast<double>(result.steady_accesses) * result.bytes_of_access;
  const auto factor = [&](double bytes, double at_level, double limit) {
    if (bytes <= 0) return 0.0;
    if (measured) return at_level / bytes;
    return std::min((point.load_bytes + point.store_bytes) / requested, limit / bytes);
  };
  const model::LevelBytes memory = measured ? point.levels.back() : model::LevelBytes();
  const double loads = factor(sum(&model::NodeAccess::load), memory.read, most.load);
  const double stores = factor(sum(&model::NodeAccess::store), memory.written, most.store);
  model::forget_access(point);
  for (const model::NodeAccess& access : of_trace) {
    const model::NodeAccess its = {access.node, access.cluster, loads * access.load, stores * access.store};
    if (its.load + its.store > 0) point.access.push_back(its);
  }
  const bool known = !point.access.empty() || of_trace.empty();  // stores of a program that has none
  point.access_source = known ? model::AccessSource::replay : model::AccessSource::none;
}

// `from` is the point from which the arrow leads.
model::Point simulated(const model::Point& unmanaged, const std::string& from, const std::string& policy,
                       const kmaf::Summary& ratio, const std::string& trace) {
  model::Point point = unmanaged;
  point.name = managed_name(unmanaged.name, policy) + " (simulated)";
  point.from = from;
  point.simulated = true;
  point.policy.clear();
  point.node_bytes.clear();  // where its pages would be at the end is not where they were most of the time
  point.functions.clear();
  point.user_seconds = point.kernel_seconds = point.page_faults = 0;  // of another placement
  const std::string interval = ratio.has_interval() ? fmt::format(" ±{:.3f}", ratio.hi - ratio.value) : "";
  point.notes = {{model::NoteCode::simulated_by_replay, {trace, ratio.value, interval}}};
  point.started = bench::utc_now();
  scale_seconds(point, ratio);
  return point;
}

const model::Point* named(const std::vector<model::Point>& points, const std::string& name) {
  const auto found = std::ranges::find(points, name, &model::Point::name);
  return found == points.end() ? nullptr : &*found;
}

}  // namespace

std::vector<model::Point> unmanaged_points(const std::string& folder, const std::vector<std::string>& names) {
  if (comes_with_gable(folder))
    throw Error::usage(fmt::format(
        "--points: {}: a machine that comes with Gable, which has no points of programs; --machine "
        "takes a folder of your own",
        name_of_folder(folder)));
  require_writable(folder);
  const auto found = those(points_of(folder), [&](const model::Point& point) {
    return is_among(names, point.name) && !point.simulated;
  });
  if (found.empty()) {
    throw Error::usage(
        fmt::format("--points: {}/points.json has no point '{}' (gable point run makes points)", folder,
                    fmt::join(names, "' or '")));
  }
  return found;
}

double seconds_under_os(const std::vector<model::Point>& unmanaged, const std::string& program) {
  constexpr double least = 0.1;  // as --seconds
  const model::Point* const point = named(unmanaged, program);
  return point == nullptr ? kmaf::ReplayOptions{}.program_seconds : std::max(point->seconds, least);
}

void record_simulated(const std::string& folder, const std::vector<kmaf::ReplayResult>& programs,
                      const std::vector<model::Point>& unmanaged, bool quiet) {
  for (const kmaf::ReplayResult& program : programs) {
    const model::Point* const point = named(unmanaged, program.name);
    const std::string why =
        point == nullptr ? folder + "/points.json has no point of that name" : mismatch(*point, program);
    if (!why.empty()) {
      tell(fmt::format("no simulated points of '{}': {}", program.name, why));
      continue;
    }
    const kmaf::RatioToOs time = kmaf::ratios_to_os(program).front();
    // If the point does not say where the accesses of the program go, the replay under the OS does.
    const bool with_os = point->access_source == model::AccessSource::none;
    std::string from = point->name;
    for (std::size_t i = with_os ? 0 : 1; i < program.policies.size(); ++i) {
      if (!time.of_policy[i]) continue;
      model::Point made =
          simulated(*point, from, program.policies[i].name, *time.of_policy[i], program.trace);
      set_access(made, program, kmaf::typical_access(program.policies[i]));
      if (i == 0) from = made.name;
      if (quiet) {
        put_point(folder, made);
      } else {
        record_points(folder, {made}, {});
      }
    }
  }
}

}  // namespace gable::cli
