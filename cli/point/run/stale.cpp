#include "cli/point/run/stale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "bench/single/single.hpp"
#include "cli/bench/bench.hpp"
#include "model/points/needs/needs.hpp"
#include "model/records/names.hpp"

namespace gable::cli {
namespace {

constexpr double seconds = 0.3;

// The roof behind the limit, or the one with the largest part in it, if it can be measured by itself.
const model::Roof* measurable_roof(const model::Roofs& roofs, const model::Limit& limit) {
  if (limit.kind != model::Limit::Kind::cache && limit.kind != model::Limit::Kind::memory) return nullptr;
  if (limit.measured.smt || busy_everywhere(limit.measured.pattern)) return nullptr;
  const auto found = std::ranges::find(roofs.roofs, limit.measured, &model::Roof::spec);
  return found == roofs.roofs.end() ? nullptr : &*found;
}

// The roof as it is now; nothing if the measurement was disturbed.
std::optional<model::Roof> measured_again(const machines::Machine& machine, const model::Case& spec) {
  bench::Options options;
  options.pages = {spec.pages};
  options.threads = spec.threads;
  bench::Single single;
  single.op = spec.op.name();
  single.cluster = spec.cluster;
  single.seconds = seconds;
  if (is_memory(spec.level)) {
    single.node = spec.node;
  } else {
    single.bytes = spec.bytes * static_cast<std::uint64_t>(std::max(spec.threads, 1));
  }
  const model::Roof roof = measured_figure(machine, options, single).roof;
  return roof.status == model::Status::ok ? std::optional(roof) : std::nullopt;
}

}  // namespace

bool has_changed(const model::Roof& before, const model::Roof& now) {
  constexpr double much = 0.05, steady = 0.1;
  if (now.hi - now.lo > steady * now.value) return false;
  const bool apart = now.lo > before.hi || now.hi < before.lo;
  return apart && std::abs(now.value / before.value - 1) > much;
}

model::Notes stale_roofs(const machines::Machine& machine, const Background& background,
                         const model::Point& point) {
  constexpr std::size_t most = 2;
  model::Notes notes;
  if (point.levels.empty() || point.cluster < 0) return notes;
  const std::vector<model::Need> needs = needs_of(background.roofs, point, point.cluster, background.hybrid);
  for (std::size_t i = 0; i < std::min(most, needs.size()); ++i) {
    const model::Limit& limit = needs[i].limit;
    const model::Roof* const before = measurable_roof(background.roofs, limit);
    if (before == nullptr) continue;
    std::optional<model::Roof> now;
    try {
      now = measured_again(machine, before->spec);
    } catch (const Error& error) {  // such pages or kernels are not to be had here
      if (error.kind != Error::Kind::usage && error.kind != Error::Kind::unavailable) throw;
    }
    if (!now || !has_changed(*before, *now)) continue;
    notes.push_back({model::NoteCode::stale_roof,
                     {name_of(before->spec, model::Style::limit), before->value, before->lo, before->hi,
                      now->value, now->lo, now->hi}});
  }
  return notes;
}

}  // namespace gable::cli
