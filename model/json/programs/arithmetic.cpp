#include "model/json/programs/arithmetic.hpp"

#include <nlohmann/json.hpp>

#include "model/json/programs/function.hpp"

namespace gable::model {

using nlohmann::ordered_json;

ordered_json arithmetic_to_json(const std::vector<Arithmetic>& works) {
  ordered_json out = ordered_json::array();
  for (const Arithmetic& work : works) {
    out.push_back({{"operation", work.op.name()},
                   {"precision", name_of(work.precision)},
                   {"vector_bits", work.vector_bits},
                   {"flops", whole_number(work.flops)}});
  }
  return out;
}

Arithmetic arithmetic_from(const Fields& fields) {
  Arithmetic work;
  work.op = Operation(fields.one_of("operation", {"add", "mul", "fma", "div", "sqrt"}));
  work.precision = fields.word<Precision>("precision");
  if (!is_known(work.precision)) fields.fail("\"precision\" must be \"dp\" or \"sp\"");
  work.vector_bits = fields.integer("vector_bits", 0);
  work.flops = fields.number("flops");
  return work;
}

}  // namespace gable::model
