#pragma once

// The fields that the records of visits share, and lines of such records. The fields have the same names and
// the same checks in every file. Each file has its own order of fields, so that they are described in groups.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/json/record_io.hpp"

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

/// Status and repetitions. `work` is the member of `record` whose field is called `name`.
void describe_repetitions(auto& io, const char* name, auto& work, auto& record) {
  io.required("status", record.status);
  io.required("reason", record.reason);
  io.required("seconds", record.seconds);
  io.required(name, work);
}

/// The state of the machine during the visit: clock, stolen time, CPUs and pages.
void describe_conditions(auto& io, auto& record) {
  io.required("clock_ghz", record.clock_ghz);
  io.required("steal_percent", record.steal_percent);
  io.required("cpus", record.cpus);
  io.required("node_bytes", record.node_bytes);
}

void describe_notes(auto& io, auto& record) {
  io.required("notes", record.notes);
  io.required("started", record.started);
}

/// Fails unless `work` (called `name` in the file) has as many entries as the repetitions, all values are
/// above 0, and they agree with the status and its reason.
void check_result(const Fields& fields, const std::vector<double>& seconds, const char* name,
                  const std::vector<double>& work, Status status, const Note& reason);

}  // namespace gable::model
