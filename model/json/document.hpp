#pragma once

// A JSON file of arrays of records. It is written one record per line, and its errors name the line of the
// record.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/reading.hpp"
#include "model/json/fields.hpp"

namespace gable::model {

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// What to do about a file beside samples.jsonl that cannot be read; a published folder has no samples to
/// fit.
std::string how_to_fit_again(const std::string& path);

class Document {
 public:
  /// Checks `"schema"`. Throws Error::format "path:line: ..." for text that is not JSON; it ends in
  /// `what_to_do`.
  Document(const std::string& text, const std::string& path, const std::string& what_to_do);

  bool has(const char* name) const { return root_.contains(name); }

  /// The records of the root's array of this name.
  template <typename Record>
  std::vector<Record> array(const char* name, Record (*from)(const Fields&)) const {
    const std::size_t count = objects(name);
    std::vector<Record> records;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string where = fmt::format("{}:{}: {}[{}]", path_, lines_.at(name)[i], name, i);
      records.push_back(reading(path_, where, [&] { return from(Fields(root_.at(name)[i], where)); }));
    }
    return records;
  }

 private:
  std::size_t objects(const char* name) const;  // how many; checks that they are objects

  std::string path_;
  Json root_;
  std::map<std::string, std::vector<int>> lines_;  // of the objects in each array of the root
};

/// `"name":[`, one record per line, `]`.
template <typename Record, typename ToJson>
std::string array_to_json(const char* name, const std::vector<Record>& records, ToJson to_json) {
  std::string text = fmt::format("\"{}\":[", name);
  for (const Record& record : records) {
    text += &record == &records.front() ? "\n" : ",\n";
    text += json_text(to_json(record));
  }
  return text + "\n]";
}

}  // namespace gable::model
