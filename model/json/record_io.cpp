#include "model/json/record_io.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json.hpp"

namespace gable::model {

void add_case(Json& object, const Case& spec) {
  FieldWriter writer{object};
  describe(writer, spec);
}

void check(const Fields& fields, const Case& spec) {
  fields.integer("load_percent", 0, 100);
  if (spec.other_node >= 0) {
    fields.integer("node_percent", 0, 100);
    if (!is_grid(spec.pattern) || spec.node < 0 || spec.node == spec.other_node)
      fields.fail("\"other_node\" belongs to a hybrid pattern, beside another \"node\"");
    for (const char* const name : {"node_weight", "other_weight"})
      if (spec.node_weight > 0) fields.integer(name, 1, 255);
  }
  if (spec.kind == Kind::validation && spec.flop_per_byte == 0)
    fields.fail("\"flop_per_byte\" is 0, expected a number above 0");
}

Json node_bytes_json(const std::map<int, std::uint64_t>& node_bytes) {
  Json object = Json::object();
  for (const auto& [node, bytes] : node_bytes) object[std::to_string(node)] = bytes;
  return object;
}

Json whole_number(double value) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (!std::isfinite(value)) throw std::logic_error("a count to be written is not finite");
  if (value == std::floor(value) && std::fabs(value) <= exact) return static_cast<std::int64_t>(value);
  return value;
}

std::size_t FieldReader::lengths_of(const char* name, const std::vector<double>& values,
                                    const char* other_name, const std::vector<double>& others) const {
  if (values.size() != others.size())
    fields.fail(fmt::format("\"{}\" and \"{}\" have different lengths", name, other_name));
  return values.size();
}

double FieldReader::span_from(const Fields& fields, const char* name) {
  const double span = fields.number(name);
  if (!(span >= 1)) fields.fail(fmt::format("\"{}\" must be 1 byte or more", name));
  return span;
}

std::vector<double> FieldReader::spread_from(const Fields& fields, const char* name) {
  const std::vector<double> figures = fields.numbers(name);
  if (figures.size() != 2 || !(figures[0] >= 0))
    fields.fail(fmt::format("\"{}\" must be a standard deviation and a skewness", name));
  return figures;
}

void check(const Fields& fields, const Arithmetic& work) {
  fields.one_of("operation", {"add", "mul", "fma", "div", "sqrt"});
  if (!is_known(work.precision)) fields.fail("\"precision\" must be \"dp\" or \"sp\"");
}

void check(const Fields& fields, const Instructions& found) {
  if (found.integer > found.executed || found.branches > found.executed ||
      found.mispredicted > found.branches || found.mispredicted_jumps > found.mispredicted)
    fields.fail("a part of its instructions is more than all of them");
}

void check(const Fields& fields, const PageWalks& walks) {
  if (walks.seconds_lo > walks.seconds_hi) fields.fail("\"seconds_lo\" is more than \"seconds_hi\"");
}

}  // namespace gable::model
