#include "model/records/record_row.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "model/records/fields.hpp"

namespace gable::model {
namespace {

gable::Cell cell_of(const std::string& text) {
  return text;
}
gable::Cell cell_of(const Level& level) {
  return level.name();
}
gable::Cell cell_of(const Operation& op) {
  return op.name();
}
gable::Cell cell_of(const Note& note) {
  return sentence(note);
}
gable::Cell cell_of(const Notes& notes) {
  return joined_sentences(notes);
}
template <typename Value>
gable::Cell cell_of(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    gable::Cell cell = fmt::format("{}", value);
    if constexpr (!std::is_same_v<Value, bool>) cell.number = static_cast<double>(value);
    return cell;
  } else {
    return name_of(value);
  }
}

// This class collects the names and the cells of the fields of a record.
struct RowWriter {
  std::vector<std::string> names;
  gable::Row row;

  void required(const char* name, const auto& value) { when(true, name, value); }
  template <typename Value>
  void unless(const std::type_identity_t<Value>& except, const char* name, const Value& value) {
    when(value != except || std::is_same_v<Value, bool>, name, value);
  }
  void when(bool condition, const char* name, const auto& value) {
    names.emplace_back(name);
    row.push_back(condition ? cell_of(value) : gable::Cell());
  }
  void index(const char* name, int number) { when(number >= 0, name, number); }
  void value(bool is_known, const char* name, double number) { when(is_known, name, number); }
};

RowWriter written(const Roof& roof) {
  RowWriter writer;
  describe(writer, roof);
  return writer;
}

}  // namespace

const std::vector<std::string>& roof_columns() {
  static const std::vector<std::string> names = written(Roof()).names;
  return names;
}

gable::Row roof_row(const Roof& roof) {
  return written(roof).row;
}

}  // namespace gable::model
