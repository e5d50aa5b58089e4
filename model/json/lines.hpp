#pragma once

// Files of records, each a line of JSON.

#include <functional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "model/json/fields.hpp"

namespace gable::model {

/// Reads the fields of one record; throws Error::format for invalid values.
using RecordReader = std::function<void(const Fields&)>;

/// The object as one line without the newline, after `read` has accepted it. `what` names the record in
/// errors.
std::string line_of(const Json& object, const std::string& what, const RecordReader& read);

/// Passes the object on the line to `read`. Every failure is an Error::format "where: ...; cure".
void read_line(std::string_view line, const std::string& where, const std::string& cure,
               const RecordReader& read);

struct Line {
  std::string_view text;  ///< without the newline
  std::string where;      ///< "file:line"
  bool ends = true;       ///< with a newline; only the last line may lack it
};

/// The lines of the file in order; none if there is no file.
void for_each_line(const std::string& path, const std::function<void(const Line&)>& read);

}  // namespace gable::model
