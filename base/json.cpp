#include "base/json.hpp"

#include <nlohmann/json.hpp>

namespace gable {

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

Json json_from(std::string_view text) {
  return Json::parse(text);
}

std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gable
