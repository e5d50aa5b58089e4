#pragma once

// A recorded machine's folder while it is measured into: locked, of the same machine, and never half written.

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/owned.hpp"
#include "bench/visit/campaign.hpp"
#include "machines/host.hpp"
#include "machines/machine.hpp"
#include "model/json/lines.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// This machine. Throws Error::usage where hwloc's environment describes another one.
machines::Machine measurable_machine();

/// Throws Error::usage where the folder's machine.json describes another machine than this one, or another
/// cpuset.
void require_same_machine(const std::string& folder, const std::string& description);

/// Completes a .jsonl file whose writer was killed (base/files.hpp); says what was set aside.
void complete_lines(const std::string& path);

/// Visits that need not be made again, of a folder that is not to be written: none where there is none yet.
/// Throws what the constructor of Recording would. `host` is null where `machine` is not this one; a folder
/// of yet another machine then has none.
bench::Done recorded_visits(const std::string& folder, const machines::Machine& machine,
                            const machines::Host* host);

/// A folder that is there and that no other `gable measure` is at work in, as long as the object lives.
class FolderLock {
 public:
  /// Waits up to three seconds for one that ends. Throws Error::usage where it is no folder, Error::failed
  /// without permission, and where the other one stays.
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor folder_;
};

/// A file of visits (model/json/lines.hpp): what earlier calls recorded, and what this one appends.
template <typename Sample>
class VisitLog {
 public:
  VisitLog() = default;
  /// Reads what is there. A failure repeats others of its visit, or others of its cell. Throws Error::format.
  explicit VisitLog(std::string path, bool by_cell = false)
      : path_(std::move(path)), by_cell_(by_cell), recorded_(model::read_lines<Sample>(path_)) {
    for (const Sample& sample : recorded_) is_new(sample);
  }

  const std::vector<Sample>& recorded() const { return recorded_; }
  /// Appends the visit and returns true, unless it repeats a skip or an invalid result that is already there.
  bool record(const Sample& sample) {
    if (!is_new(sample)) return false;
    append_line(path_, model::to_line(sample));
    return true;
  }

 private:
  bool is_new(const Sample& sample) {
    if (sample.status == model::Status::ok) return true;
    std::string failure = key(sample.spec) + " " + sentence(sample.reason);
    if (!by_cell_) failure += fmt::format(" {} {}", sample.round, static_cast<int>(sample.status));
    return failures_.insert(failure).second;
  }

  std::string path_;
  bool by_cell_ = false;
  std::vector<Sample> recorded_;
  std::set<std::string> failures_;
};

class Recording {
 public:
  /// Opens the folder, makes it where it is not there, and locks it. Reads what was measured so far. Throws
  /// Error::usage where the folder is another machine's, std::runtime_error where it cannot be written or
  /// another `gable measure` is at work in it, Error::format where it is broken.
  Recording(const std::string& folder, const machines::Machine& machine, const machines::Host& host);
  /// Visits that need not be made again: those that were ok. Others are tried again.
  bench::Done done() const;

  /// VisitLog::record.
  void record(const model::Sample& sample) { log_.record(sample); }

 private:
  FolderLock lock_;
  VisitLog<model::Sample> log_;
};

}  // namespace gable::cli
