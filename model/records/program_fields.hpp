#pragma once

// This file lists the fields of a Point and of the records in it once for the writer and the reader of JSON.
// model/records/fields.hpp describes the calls.

#include <cmath>
#include <vector>

#include "base/as_record.hpp"
#include "model/records/point.hpp"
#include "model/statistics/span_moments.hpp"

namespace gable::model {

/// A number of bytes or operations: written without a decimal point if it is whole.
template <typename Number>
struct Count {
  Number& number;
};
inline Count<double> count(double& number) {
  return {number};
}
inline Count<const double> count(const double& number) {
  return {number};
}

/// The geometric mean of what lies between two uses of each of `bytes`, in bytes; `logs` is LevelBytes'
/// sum.
template <typename Number>
struct MeanSpan {
  Number& bytes;
  Number& logs;

  bool is_known() const { return bytes > 0 && logs > 0; }
  double mean() const { return std::round(std::exp2(logs / bytes)); }
  void set(double span) { logs = bytes * std::log2(span); }
};
template <typename Number>
MeanSpan(Number&, Number&) -> MeanSpan<Number>;

/// Standard deviation and skewness of the logarithms, as SpanMoments has them.
template <typename Number>
struct SpanSpread {
  Number& bytes;
  Number& logs;
  Number& squares;
  Number& cubes;

  bool is_known() const { return bytes > 0 && logs > 0 && squares > 0; }
  std::vector<double> figures() const {
    const SpanMoments moments = moments_of({bytes, logs, squares, cubes});
    const auto rounded = [](double number) { return std::round(1e4 * number) / 1e4; };
    return {rounded(moments.deviation), rounded(moments.skewness)};
  }
  void set(double deviation, double skewness) {
    const SpanSums sums = sums_of(bytes, {logs / bytes, deviation, skewness});
    squares = sums.squares;
    cubes = sums.cubes;
  }
};
template <typename Number>
SpanSpread(Number&, Number&, Number&, Number&) -> SpanSpread<Number>;

template <typename Io>
void describe(Io& io, As<LevelBytes> auto& bytes) {
  io.required("level", bytes.level);
  io.required("read", count(bytes.read));
  io.required("written", count(bytes.written));
  io.optional("irregular", count(bytes.irregular));
  io.given(bytes.irregular_stored > 0, "irregular_stored", count(bytes.irregular_stored));
  io.optional("chained", count(bytes.chained));
  io.given(bytes.streamed > 0, "streamed", count(bytes.streamed));
  io.given(bytes.conflicts > 0, "conflicts", count(bytes.conflicts));
  io.given(bytes.from_cores > 0, "from_cores", count(bytes.from_cores));
  io.given(bytes.contested > 0, "contested", count(bytes.contested));
  io.given(bytes.contested_apart > 0, "contested_apart", count(bytes.contested_apart));
  io.given(bytes.strided > 0, "strided", count(bytes.strided));
  io.given(bytes.near > 0, "near", count(bytes.near));
  io.given(bytes.written_more > 0, "written_more", count(bytes.written_more));
  const MeanSpan irregular{bytes.irregular, bytes.irregular_spans};
  const MeanSpan chained{bytes.chained, bytes.chained_spans};
  io.given(irregular.is_known(), "irregular_span", irregular);
  io.given(chained.is_known(), "chained_span", chained);
  const SpanSpread of_irregular{bytes.irregular, bytes.irregular_spans, bytes.irregular_squares,
                                bytes.irregular_cubes};
  const SpanSpread of_chained{bytes.chained, bytes.chained_spans, bytes.chained_squares, bytes.chained_cubes};
  io.given(of_irregular.is_known(), "irregular_spread", of_irregular);
  io.given(of_chained.is_known(), "chained_spread", of_chained);
}

template <typename Io>
void describe(Io& io, As<Arithmetic> auto& work) {
  io.required("operation", work.op);
  io.required("precision", work.precision);
  io.required("vector_bits", work.vector_bits);
  io.required("flops", count(work.flops));
}

template <typename Io>
void describe(Io& io, As<CriticalPath> auto& path) {
  for (const LatencyClassRow& row : latency_class_rows) {
    auto& operations = path.operations[static_cast<std::size_t>(row.value)];
    io.given(operations > 0, row.name.data(), count(operations));
  }
}

template <typename Io>
void describe(Io& io, As<Instructions> auto& instructions) {
  io.required("executed", count(instructions.executed));
  io.required("integer", count(instructions.integer));
  io.required("branches", count(instructions.branches));
  io.required("mispredicted", count(instructions.mispredicted));
  io.given(instructions.path.is_known(), "critical_path", instructions.path);
  io.given(instructions.resolving_cycles > 0, "resolving_cycles", count(instructions.resolving_cycles));
  io.given(instructions.chained_loads > 0, "chained_loads", count(instructions.chained_loads));
  io.given(instructions.chain_steps > 0, "chain_steps", count(instructions.chain_steps));
  io.given(instructions.vector_loads > 0, "vector_loads", count(instructions.vector_loads));
  io.given(instructions.iterations > 0, "iterations", count(instructions.iterations));
  io.given(instructions.mispredicted_jumps > 0, "mispredicted_jumps", count(instructions.mispredicted_jumps));
  io.given(instructions.mispredicted_entries > 0, "mispredicted_entries",
           count(instructions.mispredicted_entries));
  io.given(instructions.unordered_loads > 0, "unordered_loads", count(instructions.unordered_loads));
  io.given(instructions.waited_loads > 0, "waited_loads", count(instructions.waited_loads));
  io.given(instructions.stores > 0, "stores", count(instructions.stores));
}

template <typename Io>
void describe(Io& io, As<PageWalks> auto& walks) {
  io.required("walks", count(walks.walks));
  io.required("seconds_lo", walks.seconds_lo);
  io.required("seconds_hi", walks.seconds_hi);
}

template <typename Io>
void describe(Io& io, As<Translation> auto& translation) {
  io.required("small", translation.small);
  io.required("huge", translation.huge);
}

template <typename Io>
void describe(Io& io, As<FunctionWork> auto& work) {
  io.required("function", work.function);
  io.required("object", work.object);
  io.required("flops", count(work.flops));
  io.required("load_bytes", count(work.load_bytes));
  io.required("store_bytes", count(work.store_bytes));
  io.given(!work.levels.empty(), "levels", work.levels);
  io.given(!work.arithmetic.empty(), "arithmetic", work.arithmetic);
  io.given(work.instructions.executed > 0, "instructions", work.instructions);
  io.given(work.translation.has_value(), "translation", work.translation);
  io.given(work.samples > 0, "samples", count(work.samples));
  io.given(work.loop > 0, "loop", work.loop);
  io.given(!work.line.empty(), "line", work.line);
}

/// `missing` stands alone.
template <typename Io>
void describe(Io& io, As<Samples> auto& samples) {
  io.given(!samples.missing.empty(), "missing", samples.missing);
  const bool are_there = samples.missing.empty();
  io.when(are_there, "all", count(samples.all));
  io.when(are_there, "seconds", samples.seconds);
  io.when(are_there, "kernel", count(samples.kernel));
  io.when(are_there, "elsewhere", samples.elsewhere);
  io.given(!samples.spinning.empty(), "spinning", samples.spinning);
}

template <typename Io>
void describe(Io& io, As<ObjectBytes> auto& object) {
  io.required("object", object.name);
  io.required("peak_bytes", object.peak_bytes);
  io.required("levels", object.levels);
}

template <typename Io>
void describe(Io& io, As<NodeAccess> auto& access) {
  io.required("node", access.node);
  io.optional_index("cluster", access.cluster);
  io.required("load_bytes", count(access.load));
  io.required("store_bytes", count(access.store));
}

/// A file that was written by hand may omit what is `optional`.
template <typename Io>
void describe(Io& io, As<Point> auto& point) {
  io.required("name", point.name);
  io.optional("region", point.region);
  io.optional("from", point.from);
  io.index("cluster", point.cluster);
  io.optional("alone", point.alone);
  io.optional("threads", point.threads);
  io.given(point.cores > 0, "cores", point.cores);
  io.required("flops", count(point.flops));
  io.given(!point.arithmetic.empty(), "arithmetic", point.arithmetic);
  io.required("load_bytes", count(point.load_bytes));
  io.required("store_bytes", count(point.store_bytes));
  io.given(point.accesses > 0, "accesses", count(point.accesses));
  io.given(point.instructions.executed > 0, "instructions", point.instructions);
  io.given(!point.levels.empty(), "levels", point.levels);
  io.given(point.translation.has_value(), "translation", point.translation);
  io.optional("precision", point.precision);
  io.optional("operation", point.operation);
  io.optional("scalar_flops_percent", point.scalar_flops_percent);
  io.optional("fma_flops_percent", point.fma_flops_percent);
  io.required("seconds", point.seconds);
  io.required("seconds_lo", point.seconds_lo);
  io.required("seconds_hi", point.seconds_hi);
  io.optional("repetitions", point.repetitions);
  const bool has_times = point.user_seconds + point.kernel_seconds > 0;
  io.given(has_times, "user_seconds", point.user_seconds);
  io.given(has_times, "kernel_seconds", point.kernel_seconds);
  io.given(has_times, "page_faults", point.page_faults);
  io.given(point.simulated, "simulated", point.simulated);
  io.required("counter", point.counter);
  io.optional("policy", point.policy);
  io.optional("node_bytes", point.node_bytes);
  io.part(point.access_source != AccessSource::none, "access", [&](auto& access) {
    access.required("source", point.access_source);
    access.required("nodes", point.access);
    access.given(point.access_samples > 0, "samples", point.access_samples);
  });
  io.given(point.huge_pages_percent.has_value(), "huge_pages_percent", point.huge_pages_percent);
  io.given(point.span > 0, "span", point.span);
  io.given(point.other_cpus > 0, "other_cpus", point.other_cpus);
  io.optional("command", point.command);
  io.optional("environment", point.environment);
  io.optional("functions", point.functions);
  io.given(point.samples != Samples(), "samples", point.samples);
  io.given(!point.objects.empty(), "objects", point.objects);
  io.given(!point.profile.empty(), "profile", point.profile);
  io.given(!point.build.empty(), "build", point.build);
  io.optional("notes", point.notes);
  io.optional("started", point.started);
}

}  // namespace gable::model
