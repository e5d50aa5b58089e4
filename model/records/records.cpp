#include "model/records/records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/records/c2c.hpp"
#include "model/records/placed.hpp"
#include "model/records/tier.hpp"
#include "model/records/virt.hpp"

namespace gable::model {
namespace {

// Makes the value of a field a single word, so that no two Cases share a key.
std::string word(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || c == '%') {
      escaped += fmt::format("%{:02x}", byte);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string key(const Case& spec) {
  std::string text = fmt::format(
      "kind={} cluster={} level={} pattern={} node={} tier={} op={} kernel={} precision={} pages={} "
      "threads={} "
      "smt={} bytes={} load_percent={}",
      name_of(spec.kind), spec.cluster, word(spec.level.name()), name_of(spec.pattern), spec.node,
      name_of(spec.tier), word(spec.op.name()), word(spec.kernel), name_of(spec.precision),
      name_of(spec.pages), spec.threads, spec.smt ? 1 : 0, spec.bytes, spec.load_percent);
  if (spec.other_node >= 0)
    text += fmt::format(" other_node={} node_percent={}", spec.other_node, spec.node_percent);
  if (spec.node_weight > 0) text += fmt::format(" weights={}:{}", spec.node_weight, spec.other_weight);
  if (spec.flop_per_byte > 0) text += fmt::format(" flop_per_byte={}", spec.flop_per_byte);
  return text;
}

std::string key(const TierCase& spec) {
  return fmt::format("tier={} what={} way={} access_bytes={} order={} cluster={} threads={} smt={} bytes={}",
                     spec.tier, spec.what, spec.way, spec.access_bytes, spec.order, spec.cluster,
                     spec.threads, spec.smt ? 1 : 0, spec.bytes);
}

std::string key(const Placed& placed) {
  std::string key = fmt::format("{} {} {} cluster={} threads={} smt={}", placed.workload, placed.variant,
                                placed.graph, placed.cluster, placed.threads, placed.smt);
  for (const PlacedPart& part : placed.parts) key += fmt::format(" {}={}", part.name, part.tier);
  return key;
}

bool is_latency(const TierCase& spec) {
  return spec.what == name_of(Kind::latency);
}

bool is_load(const TierCase& spec) {
  return spec.what == operations::load.name();
}

bool is_store(const TierCase& spec) {
  return spec.what == operations::store.name();
}

bool stores_blocks(const TierCase& spec) {
  return is_store(spec) && spec.access_bytes > 0;
}

std::string_view unit_of(const TierCase& spec) {
  return unit_of(is_latency(spec) ? Kind::latency : Kind::bandwidth);
}

bool stays_in_caches(std::string_view way) {
  return way == operations::store.name();
}

bool is_non_temporal(std::string_view way) {
  return is_non_temporal(Operation(fmt::format("{}_{}", operations::store.name(), way)));
}

std::set<int> clusters_in(const std::vector<Roof>& roofs) {
  std::set<int> clusters;
  int before = -1;  // most roofs follow others of their cluster
  for (const Roof& roof : roofs) {
    if (clusters.empty() || roof.spec.cluster != before) clusters.insert(roof.spec.cluster);
    before = roof.spec.cluster;
  }
  return clusters;
}

VirtMeasure measure_of(const VirtCase& spec) {
  const auto known = std::ranges::find_if(virt_measures, [&](const VirtMeasure& measure) {
    return measure.kind == spec.kind && measure.what == spec.what;
  });
  if (known != std::end(virt_measures)) return *known;
  const auto alike = std::ranges::find(virt_measures, spec.kind, &VirtMeasure::kind);
  VirtMeasure measure = *alike;
  measure.what = measure.words = spec.what;
  return measure;
}

std::string key(const VirtCase& spec) {
  return fmt::format("kind={} what={} pages={} cpu={} bytes={}", name_of(spec.kind), spec.what,
                     name_of(spec.pages), spec.cpu, spec.bytes);
}

std::string name_of(const PairClass& between) {
  std::string name(row_of(between.relation).words);
  if (between.distance > 0) name += fmt::format(", distance {}", between.distance);
  if (!between.kinds.empty()) name += ", " + between.kinds;
  return name;
}

std::string key(const C2cCase& spec) {
  return fmt::format("measure={} pus={} node={}", name_of(spec.measure), fmt::join(spec.pus, "-"), spec.node);
}

std::string words_of(const C2cCase& spec) {
  const C2cMeasureRow& row = row_of(spec.measure);
  const std::string place =
      row.of_pairs ? fmt::format("CPU {}", fmt::join(spec.pus, row.has_direction ? " to " : " and "))
                   : fmt::format("{} threads", spec.pus.size());
  return fmt::format("{}, {}{}", row.words, place,
                     spec.node < 0 ? "" : fmt::format(", on node {}", spec.node));
}

}  // namespace gable::model
