#pragma once

// This file lists the fields of a Case and of a Roof once for all formats: JSON (model/json/record_io.hpp),
// and the cells of CSV and TSV (model/records/record_row.hpp). An `Io` is called with the name and the value
// of each field, in the order of the files. It writes the value, or sets it. `unless` leaves out a field that
// has the given value, and `when` one whose condition does not hold. `index` writes nothing for -1, and
// `value` writes nothing for a figure that is not known. The other calls are for JSON alone: `optional` is
// always written, `given` if the condition holds, and both may be missing in a file, as an `optional_index`
// may. `or_minus_1` is a number that may be -1. `part` is an object whose fields a function describes, and
// `columns` two members of each of a list.

#include "base/as_record.hpp"
#include "model/records/records.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<Case> auto& spec) {
  io.required("cluster", spec.cluster);
  io.required("kind", spec.kind);
  io.required("level", spec.level);
  io.required("pattern", spec.pattern);
  io.index("node", spec.node);
  io.required("tier", spec.tier);
  io.required("op", spec.op);
  io.required("kernel", spec.kernel);
  io.required("precision", spec.precision);
  io.required("pages", spec.pages);
  io.required("threads", spec.threads);
  io.required("smt", spec.smt);
  io.required("bytes", spec.bytes);
  io.required("load_percent", spec.load_percent);
  io.unless(-1, "other_node", spec.other_node);
  io.when(spec.other_node >= 0, "node_percent", spec.node_percent);
  io.unless(0, "node_weight", spec.node_weight);
  io.when(spec.node_weight > 0, "other_weight", spec.other_weight);
  io.unless(0, "flop_per_byte", spec.flop_per_byte);
}

template <typename Io>
void describe(Io& io, As<Roof> auto& roof) {
  describe(io, roof.spec);
  const bool ok = roof.status == Status::ok;
  io.value(ok, "value", roof.value);
  io.value(ok, "lo", roof.lo);
  io.value(ok, "hi", roof.hi);
  io.required("unit", roof.unit);
  io.required("n", roof.n);
  io.when(has_load(roof.spec.kind), "load_gb_per_s", roof.load_gb_per_s);
  io.required("status", roof.status);
  io.required("reason", roof.reason);
  io.unless({}, "source", roof.source);
  io.unless(0, "clock_ghz", roof.clock_ghz);
  io.unless(0, "adds_per_cycle", roof.adds_per_cycle);
  io.unless({}, "remarks", roof.remarks);
  io.unless(false, "other_state", roof.other_state);
  io.unless(0, "idle_value", roof.idle_value);
  io.unless(0, "idle_lo", roof.idle_lo);
  io.unless(0, "idle_hi", roof.idle_hi);
}

}  // namespace gable::model
