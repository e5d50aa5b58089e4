#include "model/json/document.hpp"

#include <iterator>

#include "base/error.hpp"
#include "base/json.hpp"

namespace gable::model {

namespace {

// Reads characters for the parser and counts the lines.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  int* line_;
};

}  // namespace

Document::Document(const std::string& text, const std::string& path, const std::string& what_to_do)
    : path_(path) {
  refuse_deep(text, path);
  int line = 1;
  std::string name;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) name = parsed.get<std::string>();
    if (depth == 2 && event == Json::parse_event_t::object_start) lines_[name].push_back(line);
    return true;
  };
  try {
    root_ =
        Json::parse(LineCounter(text.data(), &line), LineCounter(text.data() + text.size(), nullptr), watch);
  } catch (const Json::exception& error) {
    const JsonFault fault = json_fault(text, error);
    throw Error::format(path, fault.line, fmt::format("{}; {}", fault.what, what_to_do));
  }
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
