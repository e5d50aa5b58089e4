#pragma once

// The recorded accesses of a program's run, under names that are the same in its next run. An oracle uses the
// record to place threads and pages.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kmaf/engine/affinity_table.hpp"
#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/engine/mapping.hpp"

namespace gable::kmaf {

/// The part of a process between two execs.
struct KnownProgram {
  std::string name;   ///< "0": the first process; "0.2": the second that it started; "0.2+1": after an exec
  std::string image;  ///< path of the executable

  bool operator==(const KnownProgram&) const = default;
};

struct KnownTask {
  int program = 0;
  int number = 0;              ///< of the thread in its program, in order of creation; 0: the first
  std::uint64_t accesses = 0;  ///< number of sampled accesses

  bool operator==(const KnownTask&) const = default;
};

struct TaskUse {
  int task = 0;
  std::uint64_t accesses = 0;

  bool operator==(const TaskUse&) const = default;
};

struct KnownPage {
  int program = 0;
  std::uint64_t address = 0;  ///< where the unit was first accessed, rounded down to a multiple of 4096
  std::vector<TaskUse> uses;  ///< the last entry is the task that came last
  int first_task = -1;        ///< whose access was recorded first, mostly its first touch; -1: not known
  std::uint64_t others = 0;   ///< accesses of tasks for which `uses` had no room

  bool operator==(const KnownPage&) const = default;
};

/// How often accesses of `one` and `other` to a sub-block followed each other.
struct KnownSharing {
  int one = 0, other = 0;
  std::uint64_t events = 0;

  bool operator==(const KnownSharing&) const = default;
};

/// Programs and tasks are identified by their index in these lists.
struct Knowledge {
  std::vector<std::string> command;
  unsigned unit_bytes = 4096;          ///< the size of a KnownPage
  bool no_huge_pages = false;          ///< the program got none, which changes its addresses
  int tasks_at_once = 0;               ///< the maximum number that ran simultaneously
  std::uint64_t tasks_left_out = 0;    ///< beyond the recorded number
  std::uint64_t samples_left_out = 0;  ///< of these tasks, of unknown tasks, and of pages beyond the limit
  std::vector<KnownProgram> programs;
  std::vector<KnownTask> tasks;
  std::vector<KnownSharing> sharing;
  std::vector<KnownPage> pages;

  bool operator==(const Knowledge&) const = default;
};

/// The leaf of each task.
Mapping leaves_of(const Knowledge& knowledge, const Hierarchy& hierarchy);

/// The node (index into Hierarchy::nodes) of each page whose tasks, mapped in this way, access it most. If
/// several are equal, the node of the task that came last, because the first task often only initializes the
/// page.
std::vector<int> homes_of(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy);

class Learning {
 public:
  struct Limits {
    std::size_t tasks = 1024;           ///< the matrix grows with their square
    std::size_t pages = 1u << 20;       ///< each with `uses` tasks at most
    std::size_t sub_blocks = 1u << 21;  ///< in which sharing is seen
    std::size_t uses = 4;
  };

  /// Pages are counted in units of `unit_bytes`, sharing in sub-blocks of `sub_block_bytes`.
  Learning(unsigned unit_bytes, unsigned sub_block_bytes, Limits limits);

  /// Assigns a number to a task; empty if there are too many tasks.
  std::optional<int> add_task(const KnownProgram& program, int number);
  /// Reports that the task has ended.
  void ended() { --alive_; }

  /// `task` accessed the byte `offset` of an object, which lies at `address` in its program.
  void sample(int task, std::uint64_t object, std::uint64_t offset, std::uint64_t address);

  /// An access by an unknown task.
  void leave_out() { ++known_.samples_left_out; }

  /// The result.
  Knowledge knowledge() const;

 private:
  void share(int task, const Page& sub_block);
  void use(KnownPage& page, int task);

  unsigned unit_bytes_, sub_block_bytes_;
  Limits limits_;
  int alive_ = 0;
  Knowledge known_;
  std::map<std::string, int> programs_;
  std::unordered_map<Page, std::size_t, PageHash> pages_;  // place in known_.pages
  std::unordered_map<Page, int, PageHash> last_;           // task of each sub-block
  std::map<std::pair<int, int>, std::uint64_t> sharing_;
};

}  // namespace gable::kmaf
