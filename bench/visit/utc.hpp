#pragma once

#include <string>

namespace gable::bench {

/// Now, in UTC, as ISO 8601: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace gable::bench
