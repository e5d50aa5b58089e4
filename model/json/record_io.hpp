#pragma once

// This file writes the fields of a record (model/records/fields.hpp) to a JSON object, and reads them from
// it.

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "model/json/fields.hpp"
#include "model/json/visits/note.hpp"
#include "model/records/fields.hpp"

namespace gable::model {

/// Adds the fields to a JSON object.
struct FieldWriter {
  nlohmann::ordered_json& json;

  void required(const char* name, const auto& value) { json[name] = to_value(value); }
  template <typename Value>
  void unless(const std::type_identity_t<Value>& except, const char* name, const Value& value) {
    when(value != except, name, value);
  }
  void when(bool condition, const char* name, const auto& value) {
    if (condition) required(name, value);
  }
  void index(const char* name, int number) { value(number >= 0, name, number); }
  void value(bool is_known, const char* name, const auto& number) {
    json[name] = is_known ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
  }

 private:
  template <typename Value>
  static nlohmann::ordered_json to_value(const Value& value) {
    if constexpr (requires { value.name(); })
      return value.name();
    else if constexpr (requires { name_of(value); })
      return name_of(value);
    else
      return value;
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
  void when(bool condition, const char* name, auto& value) {
    if (condition) required(name, value);
  }
  void index(const char* name, int& number) {
    if (!fields.at(name).is_null()) number = fields.integer(name);
  }
  void value(bool, const char* name, double& number) {
    if (!fields.at(name).is_null()) number = fields.number(name);
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
  template <Tabled T>
  void required(const char* name, T& member) {
    member = fields.word<T>(name);
  }
};

}  // namespace gable::model
