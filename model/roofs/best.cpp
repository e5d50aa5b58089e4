#include "model/roofs/best.hpp"

#include <cstdint>
#include <map>
#include <string>

#include "model/records/question.hpp"

namespace gable::model {
namespace {

template <typename Value>
bool admits(const Value& any, const Value& like, const Value& found) {
  return like == any || like == found;
}

bool satisfies(const Case& found, const Case& like) {
  return found.kind == like.kind && found.cluster == like.cluster &&
         found.load_percent == like.load_percent && found.level == like.level &&
         found.pattern == like.pattern && admits(-1, like.node, found.node) &&
         admits(Tiers(), like.tier, found.tier) && admits(Operation(), like.op, found.op) &&
         admits(std::string(), like.kernel, found.kernel) &&
         admits(Precision::none, like.precision, found.precision) &&
         admits(Pages(), like.pages, found.pages) && admits(0, like.threads, found.threads) &&
         admits(std::uint64_t{0}, like.bytes, found.bytes);
}

}  // namespace

const Roof* best(const std::vector<Roof>& roofs, const std::function<bool(const Roof&)>& wanted) {
  std::vector<const Roof*> all;
  for (const Roof& roof : roofs) {
    if (roof.status == Status::ok && wanted(roof)) all.push_back(&roof);
  }
  return best(all);
}

const Roof* best(const std::vector<const Roof*>& roofs) {
  const Roof* found = nullptr;
  for (const Roof* roof : roofs) {
    if (found == nullptr || is_better(*roof, *found)) found = roof;
  }
  return found;
}

bool has_threads(const Roof& roof, int least) {
  return roof.spec.threads == 0 || roof.spec.threads >= least;
}

const Roof* best_roof(const std::vector<Roof>& roofs, const Case& like) {
  return best(roofs, [&](const Roof& roof) { return satisfies(roof.spec, like); });
}

std::vector<Roof> best_of_each(const std::vector<Roof>& roofs,
                               const std::function<bool(const Roof&)>& wanted) {
  std::map<std::string, std::size_t> places;
  std::vector<Roof> found;
  for (const Roof& roof : roofs) {
    if (!wanted(roof)) continue;
    const auto [place, is_new] = places.try_emplace(key(question_of(roof.spec)), found.size());
    if (is_new) {
      found.push_back(roof);
    } else if (is_better(roof, found[place->second])) {
      found[place->second] = roof;
    }
  }
  return found;
}

}  // namespace gable::model
