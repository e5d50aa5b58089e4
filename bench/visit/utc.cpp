#include "bench/visit/utc.hpp"

#include <fmt/chrono.h>

#include <ctime>

namespace gable::bench {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", parts);
}

}  // namespace gable::bench
