#include "base/json.hpp"

#include <nlohmann/json.hpp>

namespace gable {

using nlohmann::json;
using nlohmann::ordered_json;

bool nests_too_deep(std::string_view text) {
  int level = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++level > most_json_levels) return true;
    } else if (c == ']' || c == '}') {
      --level;
    }
  }
  return false;
}

json json_from(std::string_view text) {
  return json::parse(text);
}

ordered_json ordered_json_from(std::string_view text) {
  return ordered_json::parse(text);
}

std::string json_text(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string json_text(const ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace gable
