#pragma once

// A limit for JSON that readers check before they parse: destroying or printing deeply nested values
// overflows the stack.

#include <string_view>

namespace gable {

inline constexpr int most_json_levels = 64;

/// Whether arrays and objects in `json` are nested deeper than most_json_levels. Text that is not JSON is
/// allowed.
bool nests_too_deep(std::string_view json);

}  // namespace gable
