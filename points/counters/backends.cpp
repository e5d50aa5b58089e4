#include "points/counters/backends.hpp"

#include <fmt/format.h>

#include "points/counters/pmu.hpp"
#include "points/counters/valgrind.hpp"

namespace gable::points {

namespace {

constexpr Backend all[] = {valgrind_backend, pmu_backend};

}  // namespace

std::span<const Backend> backends() {
  return all;
}

const Backend& choose_backend(const std::string& name) {
  std::string reasons;
  for (const Backend& backend : all) {
    if (name != "auto" && name != backend.name) continue;
    const std::string why = backend.unavailable();
    if (why.empty()) return backend;
    reasons += fmt::format("\n  {}: {}", backend.name, why);
  }
  throw CountError(
      "no counter works here for the program's flops and bytes; give them with --flops and --load-bytes, or "
      "mark "
      "regions that report them (--counter marker)" +
      (reasons.empty() ? "" : ":" + reasons));
}

}  // namespace gable::points
