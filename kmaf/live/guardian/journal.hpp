#pragma once

// Records what a managed run changes outside itself, before each change. The guardian or the next run
// restores everything from it: the same code serves a normal end, a killed manager, and a manager and
// guardian that were both killed.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/owned.hpp"

namespace gable::kmaf::live {

struct ObjectChange;

/// Lines of text in a file; the last one counts when it ends in a newline.
class Journal {
 public:
  /// A file that only this process and its children see, for changes that need no repair by a later run.
  static Journal unnamed();
  /// `folder`/gable-kmaf.journal, which one run at a time may hold. First restores what a killed run left in
  /// it and reports that in `repaired`. Throws std::runtime_error naming the process if another run holds it.
  static Journal named(const std::filesystem::path& folder, const std::filesystem::path& root,
                       std::vector<std::string>& repaired);

  /// The setting at `path` (below the root) was `old`.
  void setting(const std::string& path, const std::string& old);
  /// The setting is about to be set to `value`.
  void wrote(const std::string& path, const std::string& value);
  /// The hardware threads that the program may use.
  void mask(const std::vector<unsigned>& pus);
  /// The program, or a process that it started, has threads that are bound.
  void process(pid_t pid);
  /// A thread is about to be bound to a hardware thread.
  void bound(pid_t pid, pid_t tid, unsigned pu);
  /// A page of a shared memory object is about to be given a policy.
  void object(const ObjectChange& change);

  std::string text() const;
  int descriptor() const { return file_.get(); }
  /// Everything was restored: empties the journal.
  void clear();

 private:
  explicit Journal(Descriptor file) : file_(std::move(file)) {}
  void add(const std::string& line);

  Descriptor file_;
};

/// Restores what `journal` records: settings below `root` that still have a value written by the run, the
/// masks of threads that are still bound, and the policies of shared memory. Returns descriptions of what
/// could not be restored or was left because another program has changed it.
std::vector<std::string> put_back(const std::string& journal, const std::filesystem::path& root);

/// The time when the process started, in clock ticks since boot; 0 if it does not exist. With the pid it
/// identifies a process uniquely.
unsigned long long start_time(pid_t pid);

}  // namespace gable::kmaf::live
