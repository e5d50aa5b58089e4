#include "model/records/question.hpp"

namespace gable::model {

Case question_of(Case spec) {
  spec.kernel.clear();
  spec.pages = {};
  spec.threads = 0;
  spec.smt = false;
  if (!is_ladder(spec.pattern)) spec.bytes = 0;
  return spec;
}

bool bypasses_its_cache(const Case& spec) {
  return is_in_cache(spec.pattern) && bypasses_caches(spec.op);
}

Rank rank_of(const Roof& roof) {
  return {roof.status, roof.other_state, is_latency(roof.spec.kind), roof.value};
}

bool is_better(const Rank& a, const Rank& b) {
  if (a.status != Status::ok || b.status != Status::ok)
    return a.status == Status::ok && b.status != Status::ok;
  if (a.other_state != b.other_state) return b.other_state;
  return a.lower_is_better ? a.value < b.value : a.value > b.value;
}

bool is_better(const Roof& a, const Roof& b) {
  return is_better(rank_of(a), rank_of(b));
}

}  // namespace gable::model
