#pragma once

// What a run of a program has shown of its accesses, by names that are the same in its next run: the record
// that an oracle places threads and pages by.

#include <cstdint>
#include <string>
#include <vector>

#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/engine/mapping.hpp"

namespace gable::kmaf {

/// What a process ran between two execs.
struct KnownProgram {
  std::string name;   ///< "0": the first process; "0.2": the second that it started; "0.2+1": after an exec
  std::string image;  ///< path of the executable

  bool operator==(const KnownProgram&) const = default;
};

struct KnownTask {
  int program = 0;
  int number = 0;              ///< of the thread in its program, in order of creation; 0: the first
  std::uint64_t accesses = 0;  ///< that were sampled

  bool operator==(const KnownTask&) const = default;
};

struct TaskUse {
  int task = 0;
  std::uint64_t accesses = 0;

  bool operator==(const TaskUse&) const = default;
};

struct KnownPage {
  int program = 0;
  std::uint64_t address = 0;  ///< where the unit was first accessed, at a multiple of 4096
  std::vector<TaskUse> uses;  ///< the one that came last at the end

  bool operator==(const KnownPage&) const = default;
};

/// How often `one` and `other` followed each other in a sub-block.
struct KnownSharing {
  int one = 0, other = 0;
  std::uint64_t events = 0;

  bool operator==(const KnownSharing&) const = default;
};

/// Programs and tasks are named by their place in these lists.
struct Knowledge {
  std::vector<std::string> command;
  unsigned unit_bytes = 4096;          ///< that a KnownPage stands for
  bool no_huge_pages = false;          ///< the program was denied them, which changes where its memory lies
  int tasks_at_once = 0;               ///< the most that ran at a time
  std::uint64_t tasks_left_out = 0;    ///< beyond what is recorded
  std::uint64_t samples_left_out = 0;  ///< of these, of tasks that were not known, of pages beyond
  std::vector<KnownProgram> programs;
  std::vector<KnownTask> tasks;
  std::vector<KnownSharing> sharing;
  std::vector<KnownPage> pages;

  bool operator==(const Knowledge&) const = default;
};

/// The leaf of each task.
Mapping leaves_of(const Knowledge& knowledge, const Hierarchy& hierarchy);

/// For each page the node (index into Hierarchy::nodes) whose tasks, mapped so, access it most; of equals the
/// one of the task that came last: the first often only initializes.
std::vector<int> homes_of(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy);

}  // namespace gable::kmaf
