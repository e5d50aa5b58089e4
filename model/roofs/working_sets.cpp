#include "model/roofs/working_sets.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/lists.hpp"

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
