#pragma once

// This file writes the fields of a record (model/records/fields.hpp, program_fields.hpp) to a JSON object,
// and reads them from it.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/json/visits/note.hpp"
#include "model/records/fields.hpp"
#include "model/records/point.hpp"
#include "model/records/program_fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

void add_case(Json& object, const Case& spec);
/// Throws Error::format if the values that were read do not make a Case.
void check(const Fields& fields, const Case& spec);

/// Bytes by the os index of their memory node, as an object; Fields::node_bytes reads it.
Json node_bytes_json(const std::map<int, std::uint64_t>& node_bytes);

struct FieldWriter;

/// A record whose fields are described.
template <typename Record>
concept Described = requires(FieldWriter& io, const Record& record) {
  describe(io, record);
};

/// Whole numbers without a decimal point, as long as a double represents them exactly. Throws
/// std::logic_error if the value is not finite: JSON has no such numbers.
Json whole_number(double value);

template <Described Record>
Json record_to_json(const Record& record);
/// Throws Error::format if a field is missing or wrong, or if check() says that fields contradict each other.
template <Described Record>
Record record_from(const Fields& fields);

/// These throw Error::format if the fields contradict each other.
void check(const Fields& fields, const Arithmetic& work);
void check(const Fields& fields, const Instructions& instructions);
void check(const Fields& fields, const PageWalks& walks);

/// Adds the fields to a JSON object.
struct FieldWriter {
  Json& json;

  void required(const char* name, const auto& value) { json[name] = to_value(value); }
  template <typename Value>
  void unless(const std::type_identity_t<Value>& except, const char* name, const Value& value) {
    when(value != except, name, value);
  }
  void when(bool condition, const char* name, const auto& value) {
    if (condition) required(name, value);
  }
  void optional(const char* name, const auto& value) { required(name, value); }
  void given(bool condition, const char* name, const auto& value) { when(condition, name, value); }
  void part(bool condition, const char* name, const auto& describe_part) {
    if (!condition) return;
    FieldWriter io{json[name] = Json::object()};
    describe_part(io);
  }
  void index(const char* name, int number) { value(number >= 0, name, number); }
  void optional_index(const char* name, int number) { index(name, number); }
  void or_minus_1(const char* name, int number) { required(name, number); }
  void value(bool is_known, const char* name, const auto& number) {
    json[name] = is_known ? Json(number) : Json(nullptr);
  }
  template <typename Record>
  void columns(const std::vector<Record>& records, const char* name, double Record::*member,
               const char* other_name, double Record::*other_member) {
    json[name] = json[other_name] = Json::array();
    for (const Record& record : records) {
      json[name].push_back(record.*member);
      json[other_name].push_back(record.*other_member);
    }
  }

 private:
  template <typename Value>
  static Json to_value(const Value& value) {
    if constexpr (requires { value.name(); })
      return value.name();
    else if constexpr (Described<Value>)  // before its name, which only some sources of a group declare
      return record_to_json(value);
    else if constexpr (requires { name_of(value); })
      return name_of(value);
    else
      return value;
  }
  template <typename Number>
  static Json to_value(const Count<Number>& value) {
    return whole_number(value.number);
  }
  template <typename Number>
  static Json to_value(const MeanSpan<Number>& span) {
    return whole_number(span.mean());
  }
  template <typename Number>
  static Json to_value(const SpanSpread<Number>& spread) {
    return spread.figures();
  }
  template <typename Value>
  static Json to_value(const std::optional<Value>& value) {
    return value ? to_value(*value) : Json(nullptr);
  }
  static Json to_value(const std::map<std::string, double>& counts) {
    Json out = Json::object();
    for (const auto& [name, number] : counts) out[name] = whole_number(number);
    return out;
  }
  static Json to_value(const std::map<int, std::uint64_t>& node_bytes) { return node_bytes_json(node_bytes); }
  template <Described Record>
  static Json to_value(const std::vector<Record>& records) {
    Json out = Json::array();
    for (const Record& record : records) out.push_back(record_to_json(record));
    return out;
  }
};

/// Sets the fields from those of a JSON object. Throws Error::format if a field is missing or wrong.
struct FieldReader {
  const Fields& fields;

  template <typename Value>
  void unless(const std::type_identity_t<Value>& except, const char* name, Value& value) {
    value = except;
    when(fields.has(name), name, value);
  }
  void when(bool condition, const char* name, auto&& value) {
    if (condition) required(name, value);
  }
  void optional(const char* name, auto&& value) {
    if (fields.has(name)) required(name, value);
  }
  void given(bool, const char* name, auto&& value) { optional(name, value); }
  void part(bool, const char* name, const auto& describe_part) {
    if (!fields.has(name)) return;
    const Fields inner = fields.object(name);
    FieldReader io{inner};
    describe_part(io);
  }
  void optional_index(const char* name, int& number) {
    if (fields.has(name)) index(name, number);
  }
  void or_minus_1(const char* name, int& number) { number = fields.integer(name, -1); }
  void index(const char* name, int& number) {
    number = fields.at(name).is_null() ? -1 : fields.integer(name);
  }
  void value(bool, const char* name, double& number) {
    if (!fields.at(name).is_null()) number = fields.number(name);
  }

  template <typename Record>
  void columns(std::vector<Record>& records, const char* name, double Record::*member, const char* other_name,
               double Record::*other_member) {
    const std::vector<double> values = fields.numbers(name), others = fields.numbers(other_name);
    records.resize(lengths_of(name, values, other_name, others));
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].*member = values[i];
      records[i].*other_member = others[i];
    }
  }

  void required(const char* name, std::string& text) { text = fields.text(name); }
  void required(const char* name, int& number) { number = fields.integer(name); }
  void required(const char* name, std::uint64_t& bytes) { bytes = fields.bytes(name); }
  void required(const char* name, bool& flag) { flag = fields.boolean(name); }
  void required(const char* name, double& number) { number = fields.number(name); }
  void required(const char* name, Level& level) { level = Level(fields.text(name)); }
  void required(const char* name, Operation& op) { op = Operation(fields.text(name)); }
  void required(const char* name, Tiers& tiers) { tiers = fields.tiers(name); }
  void required(const char* name, Pages& pages) { pages = fields.pages(name); }
  void required(const char* name, Note& note) { note = note_from(fields, name); }
  void required(const char* name, Notes& notes) { notes = notes_from(fields, name); }
  void required(const char* name, std::vector<std::string>& texts) { texts = fields.texts(name); }
  void required(const char* name, std::vector<double>& numbers) { numbers = fields.numbers(name); }
  void required(const char* name, std::vector<unsigned>& cpus) { cpus = fields.cpus(name); }
  void required(const char* name, std::map<int, std::uint64_t>& bytes) { bytes = fields.node_bytes(name); }
  void required(const char* name, std::map<std::string, std::string>& texts) {
    texts = fields.named(name, &Fields::text);
  }
  void required(const char* name, std::map<std::string, double>& counts) {
    counts = fields.named(name, &Fields::number);
  }
  void required(const char* name, Count<double> count) { count.number = fields.number(name); }
  void required(const char* name, MeanSpan<double> span) { span.set(span_from(fields, name)); }
  void required(const char* name, SpanSpread<double> spread) {
    const std::vector<double> figures = spread_from(fields, name);
    spread.set(figures[0], figures[1]);
  }
  void required(const char* name, std::optional<double>& number) {
    number.reset();
    if (!fields.at(name).is_null()) number = fields.number(name);
  }
  template <Tabled T>
  void required(const char* name, T& member) {
    member = fields.word<T>(name);
  }
  template <Described Record>
  void required(const char* name, Record& record) {
    record = record_from<Record>(fields.object(name));
  }
  template <Described Record>
  void required(const char* name, std::optional<Record>& record) {
    required(name, record.emplace());
  }
  template <Described Record>
  void required(const char* name, std::vector<Record>& records) {
    records = fields.array(name, record_from<Record>);
  }

 private:
  // Fails unless both have as many entries.
  std::size_t lengths_of(const char* name, const std::vector<double>& values, const char* other_name,
                         const std::vector<double>& others) const;
  static double span_from(const Fields& fields, const char* name);                 // 1 byte or more
  static std::vector<double> spread_from(const Fields& fields, const char* name);  // deviation and skewness
};

template <Described Record>
Json record_to_json(const Record& record) {
  Json out = Json::object();
  FieldWriter io{out};
  describe(io, record);
  return out;
}

template <Described Record>
Record record_from(const Fields& fields) {
  Record record{};
  FieldReader io{fields};
  describe(io, record);
  if constexpr (requires { check(fields, record); }) check(fields, record);
  return record;
}

}  // namespace gable::model
