#pragma once

// JSON as text. nlohmann's parser and serializer take seconds to compile, so json.cpp alone has them.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gable {

/// A JSON value; objects keep the order of their names. It is the only type of JSON, because each type takes
/// seconds to compile.
using Json = nlohmann::ordered_json;

/// Readers check this limit before they parse: destroying or printing deeply nested values overflows the
/// stack.
inline constexpr int most_json_levels = 64;

/// Whether arrays and objects in `text` are nested deeper than most_json_levels. Text that is not JSON is
/// allowed.
bool nests_too_deep(std::string_view text);

/// The value that a text describes. Throws Json::parse_error.
Json json_from(std::string_view text);

/// The text of a value: on one line, or indented by `indent` spaces a level. Bytes that are not UTF-8 are
/// replaced.
std::string json_text(const Json& value, int indent = -1);

}  // namespace gable
