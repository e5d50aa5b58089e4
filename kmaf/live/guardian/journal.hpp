#pragma once

// What a managed run has changed outside itself, written down before it is changed. Whoever comes after it,
// the guardian or the next run, puts it back from here: one way for a normal end, for a killed manager and
// for a machine where both were killed.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace gable::kmaf::live {

struct ObjectChange;

/// Lines of text in a file; the last one counts when it ends in a newline.
class Journal {
 public:
  /// A file that only this process and its children see: for what needs no repair by a later run.
  static Journal unnamed();
  /// `folder`/gable-kmaf.journal, which one run at a time may hold. What a killed run left in it is put back
  /// first, and `repaired` says so. Throws std::runtime_error when another run holds it, naming its process.
  static Journal named(const std::filesystem::path& folder, const std::filesystem::path& root,
                       std::vector<std::string>& repaired);

  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  /// The setting at `path` (below the root) was `old`.
  void setting(const std::string& path, const std::string& old);
  /// It is about to be set to `value`.
  void wrote(const std::string& path, const std::string& value);
  /// The hardware threads that the program may use.
  void mask(const std::vector<unsigned>& pus);
  /// The program, or a process that it started, has threads that are bound.
  void process(pid_t pid);
  /// A thread is about to be bound to a hardware thread.
  void bound(pid_t pid, pid_t tid, unsigned pu);
  /// A page of an object of shared memory is about to be given a policy.
  void object(const ObjectChange& change);

  std::string text() const;
  int descriptor() const { return fd_; }
  /// Everything was put back: nothing is left to do for anybody.
  void clear();

 private:
  explicit Journal(int fd) : fd_(fd) {}
  void add(const std::string& line);

  int fd_ = -1;
};

/// Puts back what `journal` says was changed: settings below `root` that still have a value which was
/// written, the masks of threads that are still bound, and the policies of shared memory. Returns what could
/// not be put back or was left because somebody else has changed it, in words.
std::vector<std::string> put_back(const std::string& journal, const std::filesystem::path& root);

/// When the process started, in clock ticks since boot; 0 where there is none. With the pid it names a
/// process for good.
unsigned long long start_time(pid_t pid);

}  // namespace gable::kmaf::live
