#pragma once

// One JSON object of a file, read field by field: every error names the file, the line and the field.

#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/domain/pages.hpp"
#include "model/domain/table.hpp"
#include "model/domain/tier.hpp"

namespace gable::model {

/// What is wrong with a text that is not JSON, without the text: "not JSON from column 7 on".
struct JsonFault {
  std::ptrdiff_t line = 1;
  std::string what;
};
/// `error` is what the JSON library threw for the text.
JsonFault json_fault(std::string_view text, const std::exception& error);

/// Throws Error::format "where: nested deeper than 64 levels" for such JSON (base/json.hpp).
void refuse_deep(std::string_view text, const std::string& where);

/// Parses JSON. Throws Error::format "path:line: ..." for other text; the message ends in `what_to_do`.
Json parse_json(const std::string& text, const std::string& path, const std::string& what_to_do);

/// Larger numbers of anything are beyond any machine, and their products beyond a double.
inline constexpr double most_of_a_number = 1e30;

class Fields {
 public:
  /// `object` must outlive this. `where` is "file:line", followed by anything else that locates the object.
  Fields(const Json& object, std::string where);

  bool has(const char* name) const;
  const Json& at(const char* name) const;
  Fields object(const char* name) const;
  std::string text(const char* name) const;
  std::string one_of(const char* name, const std::vector<std::string>& allowed) const;
  /// The member of a type with a table that has this word.
  template <Tabled T>
  T word(const char* name) const {
    const std::string found = text(name);
    if (const auto member = gable::model::named<T>(found)) return *member;
    wrong_word(name, all_names<T>());
  }
  Pages pages(const char* name) const;  ///< a size of pages, or none
  Tiers tiers(const char* name) const;  ///< of memory nodes, or none
  bool boolean(const char* name) const;
  int integer(const char* name, int least = 0, int most = std::numeric_limits<int>::max()) const;
  std::uint64_t bytes(const char* name) const;
  double number(const char* name) const;  ///< finite, at least 0, at most `most_of_a_number`
  double real(const char* name) const;    ///< finite
  std::vector<double> numbers(const char* name) const;
  /// Fails if the figure of this name is larger, or below its negative.
  void at_most(const char* name, double figure, double most) const;
  std::vector<std::string> texts(const char* name) const;
  /// The objects of an array, each read by `from`; its errors name the place in the array.
  template <typename Record>
  std::vector<Record> array(const char* name, Record (*from)(const Fields&)) const {
    std::vector<Record> records;
    for (const Fields& element : elements(name)) records.push_back(from(element));
    return records;
  }
  /// An object whose members have any names, each read by `value`: &Fields::text, &Fields::number.
  template <typename Value>
  std::map<std::string, Value> named(const char* name, Value (Fields::*value)(const char*) const) const {
    const Fields members = object(name);
    std::map<std::string, Value> found;
    for (const std::string& member : members.names()) found[member] = (members.*value)(member.c_str());
    return found;
  }
  std::vector<unsigned> cpus(const char* name) const;
  /// An object of bytes by the os index of their memory node.
  std::map<int, std::uint64_t> node_bytes(const char* name) const;
  /// Checks `"schema"`.
  void schema() const;

  /// Throws Error::format "where: what".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::vector<Fields> elements(const char* name) const;
  std::vector<std::string> names() const;
  [[noreturn]] void wrong_word(const char* name, const std::vector<std::string>& allowed) const;
  [[noreturn]] void wrong(const char* name, const char* expected) const;

  const Json& object_;
  std::string where_;
};

}  // namespace gable::model
