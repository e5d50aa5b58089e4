#include "model/roofs/visits.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/lists.hpp"
#include "model/records/crowding.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

namespace {

bool lies_in_memory(const Case& spec) {
  return spec.bytes > 0 && is_in_memory(spec.pattern);
}

std::string key_without_bytes(Case spec) {
  spec.bytes = 0;
  return key(spec);
}

Note remark_of(const Case& spec, const Note& note) {
  switch (note.code) {
    case NoteCode::side_cache_holds:
    case NoteCode::side_cache_exceeded:
      return note;
    case NoteCode::small_set:
    case NoteCode::small_set_asked:
      return lies_in_memory(spec) ? Note(NoteCode::cache_may_hold_part, {sentence(note)}) : Note();
    case NoteCode::smaller_buffers:  // each visit by another percentage
      return lies_in_memory(spec) ? Note(NoteCode::smaller_buffers_may_be_held) : Note();
    default:
      return {};
  }
}

}  // namespace

std::vector<double> repetitions_of(const Sample& sample) {
  std::vector<double> values;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i)
    values.push_back(in_unit(sample.spec.kind, sample.work[i], sample.seconds[i]));
  return values;
}

double quantile_of(const Case& spec) {
  constexpr double reachable = 0.9, typical = 0.5;
  const bool together = busy_everywhere(spec.pattern);
  return is_latency(spec.kind) || together ? typical : reachable;
}

double visit_figure(const Sample& visit) {
  return quantile(repetitions_of(visit), quantile_of(visit.spec));
}

Crowded::Crowded(const std::vector<const Sample*>& samples) {
  for (const Sample* sample : samples) {
    if (sample->status != Status::ok) continue;
    double& most = most_[sample->spec.cluster];
    most = std::max(most, sample->adds_per_cycle);
  }
}

bool Crowded::is_crowded(const Sample& visit) const {
  const auto most = most_.find(visit.spec.cluster);
  return most != most_.end() && model::is_crowded(visit.adds_per_cycle, most->second);
}

std::vector<const Sample*> Crowded::without(const std::vector<const Sample*>& visits) const {
  constexpr int enough = 3;
  std::vector<const Sample*> alone = visits;
  std::erase_if(alone,
                [&](const Sample* visit) { return visit->status == Status::ok && is_crowded(*visit); });
  const auto ok = std::ranges::count(alone, Status::ok, [](const Sample* visit) { return visit->status; });
  return ok >= enough ? alone : visits;
}

Notes remarks_on_caches(const std::vector<const Sample*>& visits) {
  Notes remarks;
  for (const Sample* visit : visits) {
    for (const Note& note : visit->notes) {
      if (const Note remark = remark_of(visit->spec, note); !remark.empty()) add_once(remarks, remark);
    }
  }
  return remarks;
}

void drop_smaller_sets(std::vector<Roof>& roofs) {
  std::map<std::string, std::uint64_t> largest;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok || !lies_in_memory(roof.spec)) continue;
    std::uint64_t& bytes = largest[key_without_bytes(roof.spec)];
    bytes = std::max(bytes, roof.spec.bytes);
  }
  std::erase_if(roofs, [&](const Roof& roof) {
    if (!lies_in_memory(roof.spec)) return false;
    const auto found = largest.find(key_without_bytes(roof.spec));
    return found != largest.end() && roof.spec.bytes < found->second;
  });
}

}  // namespace gable::model
