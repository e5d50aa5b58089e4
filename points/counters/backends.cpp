#include "points/counters/backends.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "points/counters/pmu.hpp"
#include "points/counters/valgrind.hpp"
#include "points/profile/record.hpp"

namespace gable::points {

namespace {

constexpr Backend all[] = {profile_backend, valgrind_backend, pmu_backend};

constexpr const char* without_counter =
    "give the program's work with --flops and --load-bytes, or mark regions that report it (--counter "
    "marker)";

// Why the counter that was asked for cannot count, and what can.
[[noreturn]] void refuse(const Backend& backend, const std::string& why, bool of_regions) {
  std::string instead = without_counter;
  for (const Backend& backend : all) {
    if (!of_regions && backend.unavailable().empty())
      instead = fmt::format("--counter {} works here", backend.name);
  }
  throw Error::failed(fmt::format("--counter {} does not work here: {}; {}", backend.name, why, instead));
}

}  // namespace

std::span<const Backend> backends() {
  return all;
}

const Backend& choose_backend(const std::string& name, bool of_regions) {
  std::string reasons;
  for (const Backend& backend : all) {
    if (name != "auto" && name != backend.name) continue;
    const std::string why = backend.unavailable();
    if (why.empty()) return backend;
    if (name != "auto") refuse(backend, why, of_regions);
    reasons += fmt::format("\n  {}: {}", backend.name, why);
  }
  throw Error::failed(fmt::format("no counter works here: {}:{}", without_counter, reasons));
}

}  // namespace gable::points
