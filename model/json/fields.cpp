#include "model/json/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "model/records/records.hpp"

namespace gable::model {

namespace {

// The line of the first number of this text, which the message of the JSON library has in quotes.
std::ptrdiff_t line_of_number(std::string_view text, std::string_view message) {
  const std::size_t begin = message.find('\''), end = message.rfind('\'');
  if (begin >= end) return 1;
  const std::size_t at = text.find(message.substr(begin + 1, end - begin - 1));
  return at == std::string_view::npos ? 1 : 1 + std::ranges::count(text.substr(0, at), '\n');
}

}  // namespace

JsonFault json_fault(std::string_view text, const std::exception& error) {
  const auto* const fault = dynamic_cast<const Json::parse_error*>(&error);
  if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr)
    return {line_of_number(text, error.what()), "not JSON: a number is too large"};
  if (fault == nullptr) return {1, "not JSON"};
  const std::string_view read = text.substr(0, fault->byte > 0 ? fault->byte - 1 : 0);
  const auto line = 1 + std::ranges::count(read, '\n');
  if (read.size() >= text.size()) return {line, "not JSON: it ends too early"};
  return {line, fmt::format("not JSON from column {} on", read.size() - (read.rfind('\n') + 1) + 1)};
}

void refuse_deep(std::string_view text, const std::string& where) {
  if (nests_too_deep(text))
    throw Error::format(where, fmt::format("nested deeper than {} levels", most_json_levels));
}

Json parse_json(const std::string& text, const std::string& path, const std::string& what_to_do) {
  refuse_deep(text, path);
  try {
    return json_from(text);
  } catch (const Json::exception& error) {
    const JsonFault fault = json_fault(text, error);
    throw Error::format(path, fault.line, fmt::format("{}; {}", fault.what, what_to_do));
  }
}

Fields::Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object_.is_object()) fail("expected a JSON object");
}

void Fields::fail(const std::string& what) const {
  throw Error::format(where_, what);
}

void Fields::wrong(const char* name, const char* expected) const {
  std::string found = json_text(object_.at(name));
  if (found.size() > 40) found = found.substr(0, 40) + "...";
  fail(fmt::format("\"{}\" is {}, expected {}", name, found, expected));
}

bool Fields::has(const char* name) const {
  return object_.contains(name);
}

const Json& Fields::at(const char* name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) fail(fmt::format("\"{}\" is missing", name));
  return *found;
}

Fields Fields::object(const char* name) const {
  if (!at(name).is_object()) wrong(name, "an object");
  return {at(name), where_};
}

std::string Fields::text(const char* name) const {
  if (!at(name).is_string()) wrong(name, "a string");
  std::string found = at(name).get<std::string>();
  if (printable(found) != found) wrong(name, "a string without control characters");
  return found;
}

std::string Fields::one_of(const char* name, const std::vector<std::string>& allowed) const {
  std::string found = text(name);
  if (!is_among(allowed, found)) wrong_word(name, allowed);
  return found;
}

void Fields::wrong_word(const char* name, const std::vector<std::string>& allowed) const {
  wrong(name, fmt::format("one of {}", fmt::join(allowed, ", ")).c_str());
}

Pages Fields::pages(const char* name) const {
  if (const auto found = pages_named(text(name))) return *found;
  wrong(name, "a size of pages (4k, 2m, ...)");
}

Tiers Fields::tiers(const char* name) const {
  const auto found = tiers_named(text(name));
  if (found) return *found;
  std::vector<std::string> known;
  for (const TierRow& row : tier_rows) {
    if (row.of_nodes) known.emplace_back(row.name);
  }
  wrong(name, fmt::format("tiers of memory ({}), joined by +", fmt::join(known, ", ")).c_str());
}

bool Fields::boolean(const char* name) const {
  if (!at(name).is_boolean()) wrong(name, "true or false");
  return at(name).get<bool>();
}

int Fields::integer(const char* name, int least, int most) const {
  const Json& field = at(name);
  const std::string expected = fmt::format("a whole number from {} to {}", least, most);
  if (!field.is_number_integer()) wrong(name, expected.c_str());
  const bool huge = field.is_number_unsigned() && field.get<std::uint64_t>() > std::uint64_t{INT32_MAX};
  if (huge || field.get<std::int64_t>() < least || field.get<std::int64_t>() > most)
    wrong(name, expected.c_str());
  return field.get<int>();
}

std::uint64_t Fields::bytes(const char* name) const {
  if (!at(name).is_number_unsigned()) wrong(name, "a whole number, 0 or more");
  return at(name).get<std::uint64_t>();
}

void Fields::at_most(const char* name, double figure, double most) const {
  if (!(std::fabs(figure) <= most)) fail(fmt::format("\"{}\" is beyond any machine", name));
}

double Fields::number(const char* name) const {
  const Json& field = at(name);
  if (!field.is_number() || !std::isfinite(field.get<double>()) || field.get<double>() < 0) {
    wrong(name, "a number, 0 or more");
  }
  at_most(name, field.get<double>(), most_of_a_number);
  return field.get<double>();
}

double Fields::real(const char* name) const {
  const Json& field = at(name);
  if (!field.is_number() || !std::isfinite(field.get<double>())) wrong(name, "a number");
  return field.get<double>();
}

std::vector<double> Fields::numbers(const char* name) const {
  const Json& field = at(name);
  if (!field.is_array()) wrong(name, "an array of numbers");
  std::vector<double> values;
  for (const Json& element : field) {
    if (!element.is_number()) wrong(name, "an array of numbers");
    values.push_back(element.get<double>());
    if (std::fabs(values.back()) > most_of_a_number)
      fail(fmt::format("the numbers of \"{}\" are beyond any machine", name));
  }
  return values;
}

std::vector<std::string> Fields::texts(const char* name) const {
  const Json& field = at(name);
  if (!field.is_array()) wrong(name, "an array of strings");
  std::vector<std::string> values;
  for (const Json& element : field) {
    if (!element.is_string()) wrong(name, "an array of strings");
    values.push_back(element.get<std::string>());
    if (printable(values.back()) != values.back()) wrong(name, "strings without control characters");
  }
  return values;
}

std::vector<Fields> Fields::elements(const char* name) const {
  if (!at(name).is_array()) wrong(name, "an array");
  std::vector<Fields> objects;
  for (const Json& element : at(name))
    objects.push_back(Fields(element, fmt::format("{}: {}[{}]", where_, name, objects.size())));
  return objects;
}

std::vector<std::string> Fields::names() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : object_.items()) names.push_back(name);
  return names;
}

std::vector<unsigned> Fields::cpus(const char* name) const {
  const Json& field = at(name);
  if (!field.is_array()) wrong(name, "an array of CPU numbers");
  std::vector<unsigned> found;
  for (const Json& cpu : field) {
    if (!cpu.is_number_unsigned() || cpu > INT32_MAX) wrong(name, "an array of CPU numbers");
    found.push_back(cpu.get<unsigned>());
  }
  return found;
}

std::map<int, std::uint64_t> Fields::node_bytes(const char* name) const {
  std::map<int, std::uint64_t> nodes;
  const Fields bytes_of = object(name);
  for (const auto& [key, unused] : at(name).items()) {
    const int node = read_as<int>(key).value_or(-1);
    if (node < 0) fail(fmt::format("\"{}\" names a node \"{}\"", name, key));
    nodes[node] = bytes_of.bytes(key.c_str());
  }
  return nodes;
}

void Fields::schema() const {
  if (at("schema") != gable::model::schema) {
    wrong("schema",
          fmt::format("{}: written by another version of gable; use that one, or make the file again",
                      gable::model::schema)
              .c_str());
  }
}

}  // namespace gable::model
