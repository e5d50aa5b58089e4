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

LevelBytes& LevelBytes::operator+=(const LevelBytes& more) {
  read += more.read;
  written += more.written;
  irregular += more.irregular;
  chained += more.chained;
  streamed += more.streamed;
  conflicts += more.conflicts;
  from_cores += more.from_cores;
  written_more += more.written_more;
  irregular_spans += more.irregular_spans;
  chained_spans += more.chained_spans;
  return *this;
}

LevelBytes& LevelBytes::operator*=(double part) {
  for (double* bytes : {&read, &written, &irregular, &chained, &streamed, &conflicts, &from_cores,
                        &written_more, &irregular_spans, &chained_spans})
    *bytes *= part;
  return *this;
}

Instructions& Instructions::operator+=(const Instructions& more) {
  executed += more.executed;
  integer += more.integer;
  branches += more.branches;
  mispredicted += more.mispredicted;
  return *this;
}

Instructions& Instructions::operator*=(double part) {
  for (double* count : {&executed, &integer, &branches, &mispredicted}) *count *= part;
  return *this;
}

PageWalks& PageWalks::operator+=(const PageWalks& more) {
  walks += more.walks;
  seconds_lo += more.seconds_lo;
  seconds_hi += more.seconds_hi;
  return *this;
}

Translation& Translation::operator*=(double part) {
  for (PageWalks* walks : {&small, &huge}) {
    for (double* value : {&walks->walks, &walks->seconds_lo, &walks->seconds_hi}) *value *= part;
  }
  return *this;
}

bool is_small(const FunctionWork& work, const Point& point) {
  constexpr double small = 1e-3;
  return work.samples <= small * point.samples.all && work.flops <= small * point.flops &&
         work.instructions.executed <= small * point.instructions.executed &&
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
  part.instructions = work.instructions;
  part.translation = work.translation;
  return part;
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

std::string_view unit_of(const TierCase& spec) {
  return unit_of(is_latency(spec) ? Kind::latency : Kind::bandwidth);
}

bool stays_in_caches(std::string_view way) {
  return way == operations::store.name();
}

bool is_non_temporal(std::string_view way) {
  return is_non_temporal(Operation(fmt::format("{}_{}", operations::store.name(), way)));
}

}  // namespace gable::model
