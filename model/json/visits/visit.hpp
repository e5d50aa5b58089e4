#pragma once

// The fields that the records of visits share: Sample, TierSample and Placed. They have the same names and
// the same checks in every file. Each file has its own order of fields, so that they are written in groups.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/json/case.hpp"
#include "model/json/fields.hpp"
#include "model/json/visits/note.hpp"

namespace gable::model {

template <typename Record>
void add_status(Json& out, const Record& record) {
  out["status"] = name_of(record.status);
  out["reason"] = record.reason;
}

/// The state of the machine during the visit: clock, stolen time, CPUs and pages.
template <typename Record>
void add_conditions(Json& out, const Record& record) {
  out["clock_ghz"] = record.clock_ghz;
  out["steal_percent"] = record.steal_percent;
  out["cpus"] = record.cpus;
  out["node_bytes"] = node_bytes_json(record.node_bytes);
}

template <typename Record>
void add_notes(Json& out, const Record& record) {
  out["notes"] = record.notes;
  out["started"] = record.started;
}

/// Fails unless `work` (called `name` in the file) has as many entries as the repetitions, all values are
/// above 0, and they agree with the status and its reason.
void check_result(const Fields& fields, const std::vector<double>& seconds, const char* name,
                  const std::vector<double>& work, Status status, const Note& reason);

/// Reads status, repetitions, disturbances, notes and start. `work` is the member of `record` whose field is
/// called `name`.
template <typename Record>
void read_result(const Fields& fields, const char* name, std::vector<double>& work, Record& record) {
  record.status = fields.word<Status>("status");
  record.reason = note_from(fields, "reason");
  record.seconds = fields.numbers("seconds");
  work = fields.numbers(name);
  record.disturbed = fields.integer("disturbed");
  record.notes = notes_from(fields, "notes");
  record.started = fields.text("started");
  check_result(fields, record.seconds, name, work, record.status, record.reason);
}

/// Reads what add_conditions writes.
template <typename Record>
void read_conditions(const Fields& fields, Record& record) {
  record.clock_ghz = fields.number("clock_ghz");
  record.steal_percent = fields.number("steal_percent");
  record.cpus = fields.cpus("cpus");
  record.node_bytes = fields.node_bytes("node_bytes");
}

}  // namespace gable::model
