#include "model/json/programs/level_bytes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json/programs/function.hpp"

namespace gable::model {

using nlohmann::ordered_json;

namespace {

// Writes the geometric mean of the lines' spans.
void add_span(ordered_json& out, const char* name, double bytes, double spans) {
  if (bytes > 0 && spans > 0) out[name] = whole_number(std::round(std::exp2(spans / bytes)));
}

double spans_from(const Fields& fields, const char* name, double bytes) {
  if (!fields.has(name)) return 0;
  const double span = fields.number(name);
  if (!(span >= 1)) fields.fail(fmt::format("\"{}\" must be 1 byte or more", name));
  return bytes * std::log2(span);
}

}  // namespace

ordered_json levels_to_json(const std::vector<LevelBytes>& levels) {
  ordered_json out = ordered_json::array();
  for (const LevelBytes& bytes : levels) {
    out.push_back({{"level", bytes.level.name()},
                   {"read", whole_number(bytes.read)},
                   {"written", whole_number(bytes.written)},
                   {"irregular", whole_number(bytes.irregular)},
                   {"chained", whole_number(bytes.chained)}});
    if (bytes.streamed > 0) out.back()["streamed"] = whole_number(bytes.streamed);
    if (bytes.conflicts > 0) out.back()["conflicts"] = whole_number(bytes.conflicts);
    add_span(out.back(), "irregular_span", bytes.irregular, bytes.irregular_spans);
    add_span(out.back(), "chained_span", bytes.chained, bytes.chained_spans);
  }
  return out;
}

LevelBytes level_bytes_from(const Fields& fields) {
  LevelBytes bytes;
  bytes.level = Level(fields.text("level"));
  bytes.read = fields.number("read");
  bytes.written = fields.number("written");
  if (fields.has("irregular")) bytes.irregular = fields.number("irregular");
  if (fields.has("chained")) bytes.chained = fields.number("chained");
  if (fields.has("streamed")) bytes.streamed = fields.number("streamed");
  if (fields.has("conflicts")) bytes.conflicts = fields.number("conflicts");
  bytes.irregular_spans = spans_from(fields, "irregular_span", bytes.irregular);
  bytes.chained_spans = spans_from(fields, "chained_span", bytes.chained);
  return bytes;
}

}  // namespace gable::model
