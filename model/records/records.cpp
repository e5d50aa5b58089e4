#include "model/records/records.hpp"

#include <fmt/format.h>

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

std::string key(const Case& asked) {
  std::string text = fmt::format(
      "kind={} cluster={} level={} pattern={} node={} tier={} op={} kernel={} precision={} pages={} "
      "threads={} "
      "smt={} bytes={} load_percent={}",
      name_of(asked.kind), asked.cluster, word(asked.level.name()), name_of(asked.pattern), asked.node,
      name_of(asked.tier), word(asked.op.name()), word(asked.kernel), name_of(asked.precision),
      name_of(asked.pages), asked.threads, asked.smt ? 1 : 0, asked.bytes, asked.load_percent);
  if (asked.other_node >= 0)
    text += fmt::format(" other_node={} node_percent={}", asked.other_node, asked.node_percent);
  if (asked.node_weight > 0) text += fmt::format(" weights={}:{}", asked.node_weight, asked.other_weight);
  if (asked.flop_per_byte > 0) text += fmt::format(" flop_per_byte={}", asked.flop_per_byte);
  return text;
}

std::string key(const TierCase& asked) {
  return fmt::format("tier={} what={} way={} access_bytes={} order={} cluster={} threads={} smt={} bytes={}",
                     asked.tier, asked.what, asked.way, asked.access_bytes, asked.order, asked.cluster,
                     asked.threads, asked.smt ? 1 : 0, asked.bytes);
}

bool is_small(const FunctionWork& work, const Point& point) {
  constexpr double small = 1e-3;
  return work.flops <= small * point.flops &&
         work.load_bytes + work.store_bytes <= small * (point.load_bytes + point.store_bytes);
}

Point point_of(const Point& point, const FunctionWork& work) {
  Point part = point;
  part.functions.clear();
  part.objects.clear();
  part.flops = work.flops;
  part.arithmetic = work.arithmetic;
  part.load_bytes = work.load_bytes;
  part.store_bytes = work.store_bytes;
  part.levels = work.levels;
  return part;
}

bool is_latency(const TierCase& asked) {
  return asked.what == name_of(Kind::latency);
}

bool is_load(const TierCase& asked) {
  return asked.what == operations::load.name();
}

bool is_store(const TierCase& asked) {
  return asked.what == operations::store.name();
}

std::string_view unit_of(const TierCase& asked) {
  return unit_of(is_latency(asked) ? Kind::latency : Kind::bandwidth);
}

bool stays_in_caches(std::string_view way) {
  return way == operations::store.name();
}

bool is_non_temporal(std::string_view way) {
  return is_non_temporal(Operation(fmt::format("{}_{}", operations::store.name(), way)));
}

}  // namespace gable::model
