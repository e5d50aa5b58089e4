#pragma once

// Kinds of memory. One row per tier, in the order of their words.

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/domain/table.hpp"

namespace gable::model {

enum class Tier { cxl, dram, gpu, hbm, nvm, file, memkind };

struct TierRow {
  Tier value;
  std::string_view name;
  bool of_nodes;      ///< of memory nodes; otherwise of what is mapped or allocated in another way
  char letter;        ///< in the short name of a placement (PMEM graph thesis, table 3.2)
  int slowness;       ///< the usual order of speed: less is faster
  double line_width;  ///< of its roofs in charts, in points
};
inline constexpr TierRow tier_rows[] = {
    {Tier::cxl, "CXL", true, 'C', 3, 1.3},    {Tier::dram, "DRAM", true, 'D', 1, 1.8},
    {Tier::gpu, "GPU", true, 'G', 2, 1.8},  // an accelerator's memory that the CPUs may use
    {Tier::hbm, "HBM", true, 'H', 0, 3.0},    {Tier::nvm, "NVM", true, 'P', 5, 1.0},
    {Tier::file, "file", false, 'P', 6, 1.8}, {Tier::memkind, "memkind", false, 'M', 4, 1.8},
};
static_assert(is_in_order(tier_rows));
constexpr std::span<const TierRow> table(Tier) {
  return tier_rows;
}

/// The ordinary memory, with which others are compared.
inline constexpr Tier plain_tier = Tier::dram;

/// Tiers that take part in something, in the order in which they are named: "DRAM", "DRAM+HBM". None where it
/// uses no memory, or where the tier is not known.
class Tiers {
 public:
  constexpr Tiers() = default;
  constexpr Tiers(Tier tier) : digits_(digit(tier)) {}  // NOLINT(google-explicit-constructor)

  constexpr bool empty() const { return digits_ == 0; }
  constexpr bool contains(Tier tier) const {
    for (std::uint64_t rest = digits_; rest > 0; rest /= base) {
      if (rest % base == digit(tier)) return true;
    }
    return false;
  }
  /// Whether all of these take part, and there are any.
  constexpr bool contains(Tiers some) const {
    for (std::uint64_t rest = some.digits_; rest > 0; rest /= base) {
      if (!contains(static_cast<Tier>(rest % base - 1))) return false;
    }
    return !some.empty();
  }
  /// Adds a tier behind the others, once.
  constexpr void add(Tier tier) {
    if (!contains(tier)) digits_ = digits_ * base + digit(tier);
  }
  /// The tier, if it is exactly one.
  constexpr std::optional<Tier> single() const {
    if (empty() || digits_ >= base) return std::nullopt;
    return static_cast<Tier>(digits_ - 1);
  }
  std::vector<Tier> all() const;

  constexpr auto operator<=>(const Tiers&) const = default;

 private:
  static constexpr std::uint64_t base = std::size(tier_rows) + 1;  // the tiers, and none
  static constexpr std::uint64_t digit(Tier tier) { return static_cast<std::uint64_t>(tier) + 1; }

  std::uint64_t digits_ = 0;  // a digit for each, the first one in front
};

/// "DRAM+HBM"; empty of none.
std::string name_of(const Tiers& tiers);
/// The tiers of memory nodes that have this name; nothing if it is none.
std::optional<Tiers> tiers_named(std::string_view name);

}  // namespace gable::model
