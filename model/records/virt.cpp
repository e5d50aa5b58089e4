#include "model/records/virt.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gable::model {

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

}  // namespace gable::model
