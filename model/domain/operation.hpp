#pragma once

// What a kernel does to its data. Kernels of any name can be measured and published ("mix5_3_nt"), so that
// operations are values; those that Gable knows have one row each in operation.cpp.

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gable::model {

/// An operation by its word in files: "load", "store_nt", "mix2_1", "fma", "chase". Empty: none.
class Operation {
 public:
  Operation() = default;
  explicit Operation(std::string_view name) : name_(name) {}

  const std::string& name() const { return name_; }
  bool empty() const { return name_.empty(); }
  auto operator<=>(const Operation&) const = default;

 private:
  std::string name_;
};

inline std::string name_of(const Operation& op) {
  return op.name();
}

namespace operations {
inline const Operation load("load"), store("store"), add("add"), mul("mul"), fma("fma"), chase("chase"),
    random("random"), random_apart("random_apart"), store_apart("store_apart"), div("div"), sqrt("sqrt"),
    branch_random("branch_random"), branch_steady("branch_steady");
}

/// The share of loads in its bytes: "load" and "ddot" 1, "store" 0, "copy" and "scale" 1/2, "add" and "triad"
/// 2/3, "mixN_M" N/(N+M); a trailing "_nt" changes nothing. Nothing for other operations. The share comes
/// from the name because published figures name no kernel; a test compares it with the table of the kernels.
std::optional<double> load_share_of(const Operation& op);

/// Divisions, square roots and scalar arithmetic: their peaks bind only programs that consist of them, so
/// that they are no roofs of a chart.
bool is_slow(const Operation& op);

/// Whether it divides or takes square roots, of vectors or scalars.
bool is_division(const Operation& op);

/// Whether its instructions are non-temporal: "store_nt".
bool is_non_temporal(const Operation& op);

/// Whether its stores go past the caches, so that the caches are no roof of it: "store_nt", "mix2_1_nt".
bool bypasses_caches(const Operation& op);

/// Whether it only loads, only stores, or mixes both in a ratio that its name tells: no application.
bool is_pure_traffic(const Operation& op);

/// "store" of "store_nt" and "store_clwb": what it does, in whatever way.
Operation without_way(const Operation& op);

/// "load_fma4" of "load_fma4_prefetch", which gives the same figure.
Operation without_prefetch(const Operation& op);

/// "FMA", "DP": the name of an operation on numbers, or of a precision, for people.
std::string in_capitals(std::string name);

/// Kernels that do an operation in another way: in a short loop ("load_short"), in both halves of the data by
/// turns, with prefetches ("load_halves"), without FMA ("triad_split"), by the string instruction of x86-64
/// ("copy_movsb").
struct Variant {
  std::string_view suffix;
  bool in_first_cache;  ///< where it may be faster; in a short loop each branch costs time
  bool in_other_caches;
  bool in_memory;  ///< more lines of two streams are under way at once than of one
};
inline constexpr Variant variants[] = {{"_short", false, true, false},
                                       {"_halves", false, false, true},
                                       {"_split", true, true, false},
                                       {"_movsb", true, true, false}};
/// "load" of the kernels "load_short"; every other operation is itself.
Operation without_variant(std::string_view op);

}  // namespace gable::model
