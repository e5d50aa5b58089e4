// Idle latencies of machines whose clock or uncore sleeps while they are idle.

#include <fmt/format.h>

#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

bool is_same_memory(const Case& a, const Case& b) {
  return a.cluster == b.cluster && a.level == b.level && a.pattern == b.pattern && a.node == b.node &&
         a.tier == b.tier && a.pages == b.pages;
}

// The lowest latency of this memory while other cores load it, in the same state of the machine; nullptr:
// none.
const Roof* lowest_loaded(const std::vector<Roof>& roofs, const Roof& idle) {
  return best(roofs, [&](const Roof& roof) {
    return has_load(roof.spec.kind) && roof.spec.load_percent > 0 && roof.other_state == idle.other_state &&
           is_same_memory(roof.spec, idle.spec);
  });
}

bool is_clearly_above(const Roof& roof, const Roof& lowest) {
  constexpr double clearly = 1.02;
  return roof.lo > lowest.hi && roof.value > clearly * lowest.value;
}

}  // namespace

void correct_idle_latencies(std::vector<Roof>& roofs) {
  std::vector<Roof> corrected = roofs;
  for (Roof& roof : corrected) {
    const Case& spec = roof.spec;
    const bool idle = spec.kind == Kind::latency;
    if (roof.status != Status::ok || !roof.source.empty() || (!idle && !has_load(spec.kind))) continue;
    const Roof* lowest = lowest_loaded(roofs, roof);
    if (lowest == nullptr || !is_clearly_above(roof, *lowest)) continue;
    if (!idle && roof.load_gb_per_s >= lowest->load_gb_per_s) continue;  // latency rises with load
    if (idle) {
      roof.remarks.push_back({NoteCode::idle_clock, {roof.value, lowest->load_gb_per_s}});
      roof.value = lowest->value;
      roof.lo = lowest->lo;
      roof.hi = lowest->hi;
      roof.n = lowest->n;
    } else {
      roof.remarks.push_back({NoteCode::falls_with_load, {lowest->value, lowest->load_gb_per_s}});
    }
  }
  roofs = std::move(corrected);
}

}  // namespace gable::model
