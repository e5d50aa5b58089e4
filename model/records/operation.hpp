#pragma once

// Operations and access patterns: properties that follow from the name, and names for people.

#include <optional>
#include <string>
#include <string_view>

#include "model/records/records.hpp"

namespace gable::model {

/// The share of loads in its bytes: "load" and "ddot" 1, "store" 0, "copy" and "scale" 1/2, "add" and "triad"
/// 2/3, "mixN_M" N/(N+M); a trailing "_nt" changes nothing. Nothing for other operations. The share comes
/// from the name because published figures name no kernel; a test compares it with the table of the kernels.
std::optional<double> load_share_of(std::string op);

/// Whether its stores go past the caches, so that the caches are no roof of it: "store_nt", "mix2_1_nt".
bool bypasses_caches(const std::string& op);
/// Whether the Case asks for the bandwidth of a cache that its operation bypasses. It is no roof, so fit and
/// the reader of roofs.json leave it out: early versions of Gable measured it.
bool bypasses_its_cache(const Case& asked);

/// "FMA", "DP": the name of an operation on numbers, or of a precision, for people.
std::string in_capitals(std::string name);

/// Kernels that do an operation in another way: in a short loop ("load_short"), without FMA ("triad_split"),
/// by the string instruction of x86-64 ("copy_movsb").
struct Variant {
  std::string_view suffix;
  bool in_first_cache;  ///< may be faster there; in a short loop each branch costs time
};
inline constexpr Variant variants[] = {{"_short", false}, {"_split", true}, {"_movsb", true}};
/// "load" for "load_short"; every other operation is itself.
std::string without_variant(std::string_view op);

/// "avx2" of the kernel "load_short_avx2"; empty without a kernel.
std::string isa_of(const std::string& kernel);
/// The ISA of the Case's kernel, and its variant if it has one: "avx2", "avx2 short". Empty without a kernel.
std::string variant_text(const Case& asked);

/// "load"; "FMA DP" for flops.
std::string operation_text(const Case& asked);

/// "local", "local, all clusters busy", "remote", ...
std::string pattern_text(Pattern pattern);

}  // namespace gable::model
