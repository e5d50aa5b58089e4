#pragma once

// Brings the pages that are in a record of a program to where it sends them, as soon as they are in memory.

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/program/names.hpp"

namespace gable::kmaf::live {

class KnownPages {
 public:
  /// `nodes`: os index for each page of `knowledge`.
  KnownPages(const Knowledge& knowledge, const std::vector<int>& nodes, Kernel& kernel);

  /// The process runs something new, or is gone.
  void forget(pid_t pid) { runs_.erase(pid), spaces_.forget(pid); }

  /// Asks where some more of the pages of these processes lie, and orders those that are elsewhere to move.
  /// Pages that were in place are asked for again, ever more seldom while nothing changes: memory is given
  /// back and taken anew. Costs a few milliseconds.
  void work(const std::vector<pid_t>& processes, Names& names, double now);

  std::uint64_t in_place() const { return count(State::in_place); }
  std::uint64_t elsewhere() const { return count(State::elsewhere); }
  std::uint64_t missed() const { return count(State::missed); }
  /// Bytes in memory that no page of the record stands for; the most at a time.
  std::uint64_t unknown_bytes() const { return unknown_bytes_; }
  const Moves& moves() const { return mover_.moves(); }

 private:
  enum class State { missed, in_place, elsewhere };
  struct Wanted {
    std::uint64_t address = 0;
    int node = 0;  // os index
    State state = State::missed;
    int orders = 0;
    double again =
        0;  // when it may be ordered next: a page that is hidden, or wanted elsewhere, waits longer
  };
  struct Run {  // what a process runs
    std::uint64_t instance = 0;
    std::vector<Wanted>* pages = nullptr;  // nullptr: not in the record
  };
  std::uint64_t count(State state) const;
  std::vector<Wanted>* pages_of(pid_t pid, Names& names);
  void look(pid_t pid, std::vector<Wanted>& pages, std::size_t begin, std::size_t end, double now);
  void move();
  void finish_round(double now);

  Kernel& kernel_;
  unsigned unit_bytes_;
  PageMover mover_;
  AddressSpaces spaces_;
  std::vector<KnownProgram> programs_;
  std::vector<std::vector<Wanted>> wanted_;  // of each program
  std::unordered_map<pid_t, Run> runs_;
  std::vector<std::pair<pid_t, Wanted*>> ordered_;  // and not looked for since
  std::vector<pid_t> round_;                        // processes that are still to be asked for
  std::size_t next_ = 0;                            // page of the last of them
  double next_round_ = 0, pause_ = 0;               // seconds
  bool changed_ = false;                            // in this round
  double resident_ = 0;                             // pages, of the processes of this round
  std::uint64_t known_resident_ = 0;                // units
  std::uint64_t unknown_bytes_ = 0;
};

}  // namespace gable::kmaf::live
