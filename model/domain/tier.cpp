#include "model/domain/tier.hpp"

#include <algorithm>

namespace gable::model {

std::vector<Tier> Tiers::all() const {
  std::vector<Tier> tiers;
  for (std::uint64_t rest = digits_; rest > 0; rest /= base)
    tiers.push_back(static_cast<Tier>(rest % base - 1));
  std::ranges::reverse(tiers);
  return tiers;
}

std::string name_of(const Tiers& tiers) {
  std::string text;
  for (const Tier tier : tiers.all()) text += (text.empty() ? "" : "+") + name_of(tier);
  return text;
}

std::optional<Tiers> tiers_named(std::string_view name) {
  Tiers tiers;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t end = std::min(rest.find('+'), rest.size());
    const auto tier = named<Tier>(rest.substr(0, end));
    if (!tier || !row_of(*tier).of_nodes || tiers.contains(*tier) || end + 1 == rest.size())
      return std::nullopt;
    tiers.add(*tier);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return tiers;
}

}  // namespace gable::model
