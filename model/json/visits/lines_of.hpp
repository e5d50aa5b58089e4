#pragma once

// How lines of one kind of record are written and read (model/json/lines.hpp). The source that describes the
// record instantiates it.

#include <string>
#include <string_view>
#include <vector>

#include "model/json/lines.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {

/// What to do after a broken line was corrected or deleted; specialized for each kind of record.
template <typename Record>
constexpr std::string_view next_step = "measure again";

template <typename Record>
std::string record_line(const Record& record) {
  Json out = {{"schema", schema}};
  FieldWriter io{out};
  describe(io, record);
  std::string name;
  if constexpr (requires { record.spec; })
    name = key(record.spec);
  else
    name = key(record);
  return line_of(out, "record of " + name, record_from<Record>);
}

template <typename Record>
std::string to_line(const Record& record) {
  return record_line(record);
}

template <typename Record>
Record from_line(std::string_view line, const std::string& where) {
  Record record;
  const std::string cure = "correct or delete this line, then " + std::string(next_step<Record>);
  read_line(line, where, cure, [&](const Fields& fields) {
    fields.schema();
    record = record_from<Record>(fields);
  });
  return record;
}

template <typename Record>
std::vector<Record> read_lines(const std::string& path) {
  std::vector<Record> all;
  for_each_line(path, [&](const Line& line) { all.push_back(from_line<Record>(line.text, line.where)); });
  return all;
}

}  // namespace gable::model
