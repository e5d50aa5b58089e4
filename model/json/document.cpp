#include "model/json/document.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/json.hpp"

namespace gable::model {

namespace {

// The lines on which the objects of each array of the root begin, in JSON that is whole. (The parser could
// tell them as it goes, but then takes a time that grows with the square of an array's length.)
std::map<std::string, std::vector<int>> lines_of_objects(const std::string& text) {
  std::map<std::string, std::vector<int>> lines;
  std::vector<int>* of_array = nullptr;
  int depth = 0, line = 1;
  std::size_t name_begin = 0, name_end = 0;  // the last text of the root
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (c == '"') {
      const std::size_t begin = at++;
      for (; text[at] != '"'; ++at) at += text[at] == '\\';
      if (depth == 1) name_begin = begin, name_end = at + 1;
    } else if (c == '[' || c == '{') {
      if (depth == 1)
        of_array = &lines[json_from(text.substr(name_begin, name_end - name_begin)).get<std::string>()];
      if (depth == 2 && c == '{') of_array->push_back(line);
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return lines;
}

}  // namespace

std::string how_to_fit_again(const std::string& path) {
  const bool has_samples = exists(std::filesystem::path(path).replace_filename("samples.jsonl"));
  return has_samples ? "run `gable fit` again" : "correct it, or copy it again";
}

Document::Document(const std::string& text, const std::string& path, const std::string& what_to_do)
    : path_(path), root_(parse_json(text, path, what_to_do)) {
  if (root_.is_object()) lines_ = lines_of_objects(text);
  Fields(root_, path_ + ":1").schema();
}

std::size_t Document::objects(const char* name) const {
  const Fields root(root_, path_ + ":1");
  const Json& array = root.at(name);
  if (!array.is_array()) root.fail(fmt::format("\"{}\" must be an array", name));
  for (const Json& element : array) {
    if (!element.is_object()) root.fail(fmt::format("\"{}\" must hold objects", name));
  }
  return array.size();
}

}  // namespace gable::model
