#pragma once

// Types whose members each have one row in a table of properties. The table of a type T is table(T()): rows
// in the order of the members, each with the member as `value` and its word in files and options as `name`.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gable::model {

template <typename T>
concept Tabled = requires {
  table(T());
};

template <Tabled T>
constexpr const auto& row_of(T value) {
  return table(T())[static_cast<std::size_t>(value)];
}

/// Its word in files and options.
template <Tabled T>
std::string name_of(T value) {
  return std::string(row_of(value).name);
}

/// Whether records may have the member: it is not computed from them.
template <typename Row>
constexpr bool is_in_records(const Row& row) {
  if constexpr (requires { row.is_computed; }) return !row.is_computed;
  return true;
}

/// The member that has this word in records; nothing if there is none.
template <Tabled T>
constexpr std::optional<T> named(std::string_view name) {
  for (const auto& row : table(T())) {
    if (row.name == name && is_in_records(row)) return row.value;
  }
  return std::nullopt;
}

/// The words of records, in the order of the members.
template <Tabled T>
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& row : table(T())) {
    if (is_in_records(row)) names.emplace_back(row.name);
  }
  return names;
}

/// JSON libraries would write a number for an enumeration: name_of() gives the word.
template <typename Value, Tabled T>
void to_json(Value& out, const T& value) = delete;

/// Whether the rows are in the order of the members: row_of() finds them by it.
template <typename Rows>
constexpr bool is_in_order(const Rows& rows) {
  std::size_t place = 0;
  for (const auto& row : rows) {
    if (static_cast<std::size_t>(row.value) != place++) return false;
  }
  return true;
}

}  // namespace gable::model
