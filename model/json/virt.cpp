#include <algorithm>
#include <cmath>
#include <type_traits>

#include "model/json/visits/lines_of.hpp"
#include "model/records/virt.hpp"

namespace gable::model {
namespace {

// A tenth of a nanosecond is finer than any clock. Detours stay in order and without overlap.
VirtSample rounded(VirtSample sample) {
  const auto rounded_us = [](double us) { return std::round(us * 1e4) / 1e4; };
  double end = 0;
  for (Detour& detour : sample.detours) {
    detour = {std::max(end, rounded_us(detour.begin_us)), std::max(1e-4, rounded_us(detour.length_us))};
    end = detour.begin_us + detour.length_us;
  }
  return sample;
}

// Detours are in order, without overlap and within the record.
void check_detours(const Fields& fields, const VirtSample& sample) {
  double end = 0, record = 0;
  for (const double seconds : sample.seconds) record += seconds * 1e6;
  for (const Detour& detour : sample.detours) {
    if (!(detour.begin_us >= end) || !(detour.length_us > 0))
      fields.fail("the detours overlap or are not in order");
    end = detour.begin_us + detour.length_us;
  }
  if (end > record * 1.001 + 1) fields.fail("detours after the end of the record");
}

// Older files have it among the facts alone.
Hypervisor hypervisor_of(const std::map<std::string, std::string>& facts) {
  const auto found = facts.find("hypervisor");
  if (found == facts.end()) return Hypervisor::unknown;
  if (found->second == "none seen") return Hypervisor::none;
  return found->second.ends_with(", emulated") ? Hypervisor::emulates : Hypervisor::virtualizes;
}

}  // namespace

template <>
constexpr std::string_view next_step<VirtSample> = "measure again with --only virt";

template <typename Io>
void describe(Io& io, As<VirtCase> auto& spec) {
  io.required("kind", spec.kind);
  io.required("what", spec.what);
  io.required("pages", spec.pages);
  io.index("cpu", spec.cpu);
  io.required("bytes", spec.bytes);
}

void check(const Fields& fields, const VirtCase& spec) {
  if (row_of(spec.kind).is_on_every_cpu != (spec.cpu >= 0))
    fields.fail("a \"cpu\" is given for noise, and only for it");
}

template <typename Io>
void describe(Io& io, As<VirtSample> auto& sample) {
  io.required("asked", sample.spec);
  io.required("round", sample.round);
  io.required("facts", sample.facts);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(sample)>>)
    sample.hypervisor = hypervisor_of(sample.facts);
  io.given(sample.spec.kind == VirtKind::environment, "hypervisor", sample.hypervisor);
  const VirtKindRow& kind = row_of(sample.spec.kind);
  if (kind.is_timed) {
    describe_repetitions(io, "work", sample.work, sample);
    io.required("disturbed", sample.disturbed);
    io.required("steal_percent", sample.steal_percent);
    io.required("verified", sample.verified);
  }
  if (kind.is_on_every_cpu) {
    io.required("threshold_us", sample.threshold_us);
    io.required("pass_ns", sample.pass_ns);
    io.required("interrupts", sample.interrupts);
    io.columns(sample.detours, "begin_us", &Detour::begin_us, "length_us", &Detour::length_us);
  }
  describe_notes(io, sample);
}

void check(const Fields& fields, const VirtSample& sample) {
  if (row_of(sample.spec.kind).is_timed)
    check_result(fields, sample.seconds, "work", sample.work, sample.status, sample.reason);
  check_detours(fields, sample);
}

template <>
std::string to_line(const VirtSample& sample) {
  return record_line(rounded(sample));
}

template VirtSample from_line(std::string_view, const std::string&);
template std::vector<VirtSample> read_lines(const std::string&);

}  // namespace gable::model
