#include "points/counters/flop_events.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <span>

#include "base/lists.hpp"
#include "base/words.hpp"

namespace gable::points {

namespace {

using Operation = Flops::Operation;
using Precision = Flops::Precision;

constexpr int unknown_bits = Flops::unknown_bits;
constexpr double no_flops = 0;      // it counts instructions of several widths
constexpr double by_length = -1.0;  // flops of each 128 bits of an SVE vector

struct FlopEvent {
  std::string_view name;  // without the family's prefix
  unsigned parts;         // of the family's flops, a bit each
  double per_count;
  Precision precision;
  int bits = unknown_bits;
  Operation operation = Operation::any;
};

struct Family {
  std::span<const std::string_view> prefixes;
  std::span<const FlopEvent> events;
  unsigned required;  // parts without which flops are missing
};

// The parts are the bits of Intel's unit mask.
constexpr std::string_view intel_prefixes[] = {"FP_ARITH_INST_RETIRED_", "FP_ARITH_OPS_RETIRED_"};
constexpr FlopEvent intel_events[] = {{"SCALAR_SINGLE", 0x02, 1, Precision::sp, 0},
                                      {"SCALAR_DOUBLE", 0x01, 1, Precision::dp, 0},
                                      {"128B_PACKED_SINGLE", 0x08, 4, Precision::sp, 128},
                                      {"128B_PACKED_DOUBLE", 0x04, 2, Precision::dp, 128},
                                      {"256B_PACKED_SINGLE", 0x20, 8, Precision::sp, 256},
                                      {"256B_PACKED_DOUBLE", 0x10, 4, Precision::dp, 256},
                                      {"512B_PACKED_SINGLE", 0x80, 16, Precision::sp, 512},
                                      {"512B_PACKED_DOUBLE", 0x40, 8, Precision::dp, 512},
                                      {"SCALAR", 0x03, 1, Precision::any, 0},
                                      {"4_FLOPS", 0x18, 4, Precision::any},
                                      {"8_FLOPS", 0x60, 8, Precision::any},
                                      {"VECTOR", 0xfc, no_flops, Precision::any},
                                      {"VECTOR_128B", 0x0c, no_flops, Precision::any},
                                      {"VECTOR_256B", 0x30, no_flops, Precision::any},
                                      {"PACKED", 0x3c, no_flops, Precision::any},
                                      {"SINGLE", 0x2a, no_flops, Precision::sp},
                                      {"DOUBLE", 0x15, no_flops, Precision::dp}};

constexpr std::string_view atom_prefixes[] = {"FP_FLOPS_RETIRED_"};
constexpr FlopEvent atom_events[] = {{"FP64", 0x1, 1, Precision::dp},
                                     {"DP", 0x1, 1, Precision::dp},
                                     {"FP32", 0x2, 1, Precision::sp},
                                     {"SP", 0x2, 1, Precision::sp},
                                     {"ALL", 0x3, 1, Precision::any}};

// AMD's parts: four kinds of operations, of each four types, and those of bfloat16. Every tool names the unit
// masks differently.
constexpr unsigned scalar_single = 0x1111, packed_single = 0x2222, scalar_double = 0x4444,
                   packed_double = 0x8888, adds = 0x000f, muls = 0x00f0, divs = 0x0f00, macs = 0xf000,
                   bfloat = 0x10000, sse_avx = 0xffff;
constexpr unsigned sp = scalar_single | packed_single, dp = scalar_double | packed_double;
constexpr std::string_view amd_prefixes[] = {"FP_RET_SSE_AVX_OPS_", "RETIRED_SSE_AVX_FLOPS_",
                                             "RETIRED_SSE_AVX_OPERATIONS_"};
constexpr FlopEvent amd_events[] = {
    {"ADD_SUB_FLOPS", adds, 1, Precision::any, unknown_bits, Operation::add},
    {"MULT_FLOPS", muls, 1, Precision::any, unknown_bits, Operation::mul},
    {"DIV_FLOPS", divs, 1, Precision::any, unknown_bits, Operation::div},
    {"MAC_FLOPS", macs, 1, Precision::any, unknown_bits, Operation::fma},
    {"DP_ADD_SUB_FLOPS", (dp & adds), 1, Precision::dp, unknown_bits, Operation::add},
    {"DP_MULT_FLOPS", (dp & muls), 1, Precision::dp, unknown_bits, Operation::mul},
    {"DP_DIV_FLOPS", (dp & divs), 1, Precision::dp, unknown_bits, Operation::div},
    {"DP_MULT_ADD_FLOPS", (dp & macs), 1, Precision::dp, unknown_bits, Operation::fma},
    {"SP_ADD_SUB_FLOPS", (sp & adds), 1, Precision::sp, unknown_bits, Operation::add},
    {"SP_MULT_FLOPS", (sp & muls), 1, Precision::sp, unknown_bits, Operation::mul},
    {"SP_DIV_FLOPS", (sp & divs), 1, Precision::sp, unknown_bits, Operation::div},
    {"SP_MULT_ADD_FLOPS", (sp & macs), 1, Precision::sp, unknown_bits, Operation::fma},
    {"SCALAR_SINGLE_FLOPS", scalar_single, 1, Precision::sp, 0},
    {"SCALAR_DOUBLE_FLOPS", scalar_double, 1, Precision::dp, 0},
    {"PACKED_SINGLE_FLOPS", packed_single, 1, Precision::sp},
    {"PACKED_DOUBLE_FLOPS", packed_double, 1, Precision::dp},
    {"SINGLE_ALL", sp, 1, Precision::sp},
    {"DOUBLE_ALL", dp, 1, Precision::dp},
    {"BFLOAT_MAC_FLOPS", bfloat, 1, Precision::any, unknown_bits, Operation::fma},
    {"BFLOAT16_FLOPS", bfloat, 1, Precision::any},
    {"ALL", sse_avx | bfloat, 1, Precision::any},
    {"ANY", sse_avx | bfloat, 1, Precision::any}};

// Half, single and double precision, of fixed and of scalable vectors.
constexpr std::string_view arm_prefixes[] = {""};
constexpr FlopEvent arm_events[] = {{"FP_FIXED_OPS_SPEC", 0x07, 1, Precision::any},
                                    {"FP_SCALE_OPS_SPEC", 0x38, by_length, Precision::any},
                                    {"FP_SP_FIXED_OPS_SPEC", 0x02, 1, Precision::sp},
                                    {"FP_SP_SCALE_OPS_SPEC", 0x10, by_length, Precision::sp},
                                    {"FP_DP_FIXED_OPS_SPEC", 0x04, 1, Precision::dp},
                                    {"FP_DP_SCALE_OPS_SPEC", 0x20, by_length, Precision::dp},
                                    {"FP_HP_FIXED_OPS_SPEC", 0x01, 1, Precision::any},
                                    {"FP_HP_SCALE_OPS_SPEC", 0x08, by_length, Precision::any}};

constexpr Family families[] = {{intel_prefixes, intel_events, 0xff},
                               {atom_prefixes, atom_events, 0x3},
                               {amd_prefixes, amd_events, sse_avx},
                               {arm_prefixes, arm_events, 0x36}};

// An event that was counted.
struct Counted {
  const FlopEvent* event;
  std::string name;
  double count = 0;
};

std::vector<Counted> counted_of(const Family& family, const std::map<std::string, double>& counts) {
  std::vector<Counted> found;
  for (const std::string_view prefix : family.prefixes) {
    for (const FlopEvent& event : family.events) {
      const auto entry = counts.find(std::string(prefix) + std::string(event.name));
      if (entry == counts.end()) continue;
      const auto same = [&](const Counted& each) { return each.event->parts == event.parts; };
      if (std::ranges::none_of(found, same)) found.push_back({&event, entry->first, entry->second});
    }
  }
  return found;
}

// "FP_ARITH_INST_RETIRED of 128B_PACKED_SINGLE, 512B_PACKED_DOUBLE"
std::string missing_words(const Family& family, const std::string& counted, unsigned covered) {
  std::vector<std::string_view> names;
  for (const FlopEvent& event : family.events) {
    const bool counts = event.per_count != no_flops && (event.parts & family.required) != 0;
    if (!counts || (event.parts & covered) != 0) continue;
    covered |= event.parts;
    names.push_back(event.name);
  }
  const auto prefix =
      std::ranges::find_if(family.prefixes, [&](std::string_view each) { return counted.starts_with(each); });
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  return prefix->empty() ? list : fmt::format("{} of {}", prefix->substr(0, prefix->size() - 1), list);
}

FamilySums sums_of_family(const Family& family, const std::vector<Counted>& all, int sve_bits) {
  FamilySums sums;
  std::vector<const Counted*> told;
  std::vector<unsigned> masks;
  for (const Counted& each : all) {
    sums.used.push_back(each.name);
    const double per_count = each.event->per_count;
    if (each.count == 0 || per_count > 0 || (per_count == by_length && sve_bits > 0)) {
      told.push_back(&each);
      masks.push_back(each.event->parts);
    }
  }
  unsigned covered = 0;
  for (const std::size_t i : best_cover(masks)) {
    const FlopEvent& event = *told[i]->event;
    const bool scales = event.per_count == by_length;
    const double flops = told[i]->count * (scales ? sve_bits / 128.0 : event.per_count);
    covered |= event.parts;
    sums.flops.push_back({event.operation, event.precision, scales ? sve_bits : event.bits,
                          static_cast<std::uint64_t>(std::llround(flops))});
  }
  for (const Counted& each : all) {
    const bool is_told = std::ranges::find(told, &each) != told.end();
    if (!is_told && (each.event->parts & ~covered) != 0) sums.untold.push_back(each.name);
  }
  if ((family.required & ~covered) != 0) sums.missing = missing_words(family, all.front().name, covered);
  return sums;
}

// A search among the sets of masks without common bits.
class Cover {
 public:
  explicit Cover(const std::vector<unsigned>& masks) : masks_(masks) { search(0, 0); }

  std::vector<std::size_t> best;

 private:
  void search(std::size_t at, unsigned covered) {
    if (at == masks_.size()) {
      const int bits = std::popcount(covered);
      if (bits < bits_ || (bits == bits_ && now_.size() <= best.size())) return;
      bits_ = bits;
      best = now_;
      return;
    }
    if ((masks_[at] & covered) == 0) {
      now_.push_back(at);
      search(at + 1, covered | masks_[at]);
      now_.pop_back();
    }
    search(at + 1, covered);
  }

  const std::vector<unsigned>& masks_;
  std::vector<std::size_t> now_;
  int bits_ = 0;
};

template <std::size_t size>
bool has_one_of(const std::vector<std::string>& words, const std::array<std::string_view, size>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_among(wanted, word); });
}

}  // namespace

std::vector<FamilySums> flops_of_families(const std::map<std::string, double>& counts, int sve_bits) {
  std::vector<FamilySums> sums;
  for (const Family& family : families) {
    const std::vector<Counted> counted = counted_of(family, counts);
    if (!counted.empty()) sums.push_back(sums_of_family(family, counted, sve_bits));
  }
  return sums;
}

bool may_count_flops(const std::string& name) {
  static constexpr std::array<std::string_view, 10> arithmetic = {"FP",  "FLOPS", "SIMD", "SSE", "AVX",
                                                                  "VFP", "ASE",   "SVE",  "X87", "AMX"};
  static constexpr std::array<std::string_view, 19> beside_it = {
      "ASSIST", "ASSISTS",     "DISPATCHED", "DISP",  "DISPATCH",  "DIVIDER", "ELIM",
      "EMPTY",  "ELIMINATION", "SER",        "PIPE",  "MIX",       "STALL",   "CANCELLED",
      "FAULTS", "CYCLES",      "LICENSE",    "TRANS", "MICROTRAPS"};
  if (name.starts_with("SSE_AVX_OPS_RETIRED")) return false;  // of integers
  const std::vector<std::string> words = split(name, '_');
  return has_one_of(words, arithmetic) && !has_one_of(words, beside_it);
}

bool is_raw_code(const std::string& name) {
  for (const char* term : {"EVENT_", "UMASK_", "CONFIG_"}) {
    if (name.starts_with(term)) return true;
  }
  constexpr std::size_t shortest = 3;
  return name.size() >= shortest && name[0] == 'R' &&
         std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isxdigit(c); });
}

std::vector<std::size_t> best_cover(const std::vector<unsigned>& masks) {
  return Cover(masks).best;
}

}  // namespace gable::points
