#include "model/roofs/working_sets.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/lists.hpp"
#include "model/records/small_set.hpp"

namespace gable::model {
namespace {

bool lies_in_memory(const Case& spec) {
  return spec.bytes > 0 && is_in_memory(spec.pattern);
}

std::string key_without_bytes(Case spec) {
  spec.bytes = 0;
  return key(spec);
}

std::string remark_of(const Case& spec, const std::string& note) {
  if (note.find("memory-side cache") != std::string::npos) return note;
  if (!lies_in_memory(spec)) return {};
  if (note.find(small_set_words) != std::string::npos)
    return note + ": the last cache may hold a part of the data, and memory itself may be slower";
  if (note.starts_with("buffers have "))  // so many percent
    return "free memory was short and the buffers were smaller: the last cache may hold a part of the data, "
           "and memory itself may be slower";
  return {};
}

}  // namespace

std::vector<std::string> remarks_on_caches(const std::vector<const Sample*>& visits) {
  std::vector<std::string> remarks;
  for (const Sample* visit : visits) {
    for (const std::string& note : visit->notes) {
      if (const std::string remark = remark_of(visit->spec, note); !remark.empty()) add_once(remarks, remark);
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
