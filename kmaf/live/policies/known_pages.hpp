#pragma once

// Moves the pages in a program's record to their recorded nodes as soon as they are in memory.

#include <unordered_map>
#include <utility>
#include <vector>

#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/program/names.hpp"

namespace gable::kmaf::live {

class KnownPages {
 public:
  /// `nodes`: os index for each page of `knowledge`. `managed`: the nodes between which pages may move (os
  /// indices).
  KnownPages(const Knowledge& knowledge, const std::vector<int>& nodes, const std::vector<unsigned>& managed,
             Kernel& kernel);

  /// The process executes another program, or has ended.
  void forget(pid_t pid) { runs_.erase(pid), spaces_.forget(pid), mover_.forget(pid); }

  /// Queries the nodes of some more pages of these processes and orders moves of misplaced ones. Pages in
  /// place are checked again, less and less often while nothing changes, because memory may be freed
  /// and reallocated. Takes a few milliseconds.
  void work(const std::vector<pid_t>& processes, Names& names, double now);

  /// The node on which each page of the record was last seen (os index); -1: never in memory.
  std::vector<int> seen_on(const Knowledge& knowledge) const;

  std::uint64_t in_place() const { return count(State::in_place); }
  std::uint64_t elsewhere() const { return count(State::elsewhere); }
  std::uint64_t missed() const { return count(State::missed); }
  /// The most bytes in memory at one time that are not in the record.
  std::uint64_t unknown_bytes() const { return unknown_bytes_; }
  const Moves& moves() const { return mover_.moves(); }

 private:
  enum class State { missed, in_place, elsewhere };
  struct Wanted {
    std::uint64_t address = 0;
    int node = 0;  // os index
    State state = State::missed;
    int seen_on = -1;  // os index
    int orders = 0;
    double again =
        0;  // when it may be ordered next: a page that is hidden, or moved away by others, waits longer
  };
  struct Run {  // the program of a process
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
  std::vector<std::pair<pid_t, Wanted*>> ordered_;  // and not checked since
  std::vector<pid_t> round_;                        // processes not yet queried
  std::size_t next_ = 0;                            // next page of the last one
  double next_round_ = 0, pause_ = 0;               // seconds
  bool changed_ = false;                            // in this round
  double resident_ = 0;                             // pages, of the processes of this round
  std::uint64_t known_resident_ = 0;                // units
  std::uint64_t unknown_bytes_ = 0;
};

}  // namespace gable::kmaf::live
