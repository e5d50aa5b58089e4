#pragma once

// The engine (kMAF paper, figure 5): it receives samples of memory accesses and returns moves of pages and
// threads. It uses no clock and no hardware. Its caller, a live sampler or a replayed trace, provides the
// time with the samples and carries out the actions.

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "kmaf/engine/affinity_matrix.hpp"
#include "kmaf/engine/affinity_table.hpp"
#include "kmaf/engine/config.hpp"
#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/engine/mapping.hpp"
#include "kmaf/engine/places.hpp"
#include "kmaf/engine/tasks.hpp"
#include "kmaf/engine/trial.hpp"

namespace gable::kmaf {

/// One sampled access: a page fault, a hardware sample, a line of a trace.
struct Sample {
  Tasks::Id task = 0;         ///< thread id; of any process
  std::uint64_t object = 0;   ///< from Objects
  std::uint64_t address = 0;  ///< in the object, in bytes
  unsigned pu = 0;            ///< os index of the hardware thread it ran on
  double seconds = 0;         ///< time from any origin; never decreases
  int page_node = -1;         ///< where the page lies now, as index into Hierarchy::nodes; -1: unknown
  bool movable = true;        ///< false: the page must stay where it is
};

struct MovePage {
  Page page;
  int from = -1;  ///< index into Hierarchy::nodes; -1: unknown
  int to = 0;

  bool operator==(const MovePage&) const = default;
};

struct MoveTask {
  Tasks::Id task = 0;
  unsigned pu = 0;  ///< os index; if the task is there already, it must be kept there

  bool operator==(const MoveTask&) const = default;
};

using Action = std::variant<MovePage, MoveTask>;

/// Counts of the engine's work so far.
struct Counts {
  std::uint64_t samples = 0;
  std::uint64_t unmanaged =
      0;  ///< samples from unknown hardware threads, or beyond the maximum number of tasks
  std::uint64_t sharing_events = 0;  ///< pairs of threads added to the matrix
  std::uint64_t pages_moved = 0;
  std::uint64_t tasks_moved = 0;  ///< to another hardware thread than the one they were seen on
  int mappings = 0;               ///< periods at whose end the mapping was judged
  int mappings_calculated = 0;    ///< in how many of them a new one was calculated
  int mappings_adopted = 0;
  int places_tried = 0;  ///< for the threads, judged by the program's progress
  int places_kept = 0;   ///< of those tried
};

class Engine {
 public:
  Engine(const Config& config, Hierarchy hierarchy);

  /// Processes a sample: updates the NUMA vector and the sub-block vector of its page and the affinity
  /// matrix, and decides whether the page moves.
  void sample(const Sample& sample);

  /// Advances the time: calculates the thread mapping at the end of a period. May be called often, as it
  /// costs nothing within a period.
  void advance(double seconds);

  /// Whether the threads are at places that are judged by the program's progress, or may be.
  Trials trials() const;

  /// Reports how much memory the program uses now. If that fits into a node's cache, fewer threads than cores
  /// share the fewest nodes that have a core for each; without this they are spread over all.
  void resident(double bytes) { resident_bytes_ = bytes; }

  /// Reports that a task ran for `seconds` of CPU time more. Only tasks that run need cores of their own;
  /// without this all do.
  void ran(Tasks::Id task, double seconds);

  /// Reports how much the program did in the last `seconds`, in which no task moved: in any unit that waiting
  /// does not add to. With Config::trials, other places are tried for the same tasks, in the order of their
  /// ids: see place_to_try(). Faster ones are kept until other tasks run or the progress falls by a quarter.
  void progressed(double work, double seconds);

  /// Reports that a task could not be moved because the program has bound it itself: it stays where it is.
  void refused(Tasks::Id task);

  /// Reports that a task was not moved; it may be moved at the end of the next period.
  void postpone(Tasks::Id task);

  /// Reports that a task has ended; another task may reuse its id.
  void ended(Tasks::Id task);

  /// Reports that an object's memory was freed: its process ended or runs another program.
  void gone(std::uint64_t object) { table_.drop(object); }

  /// Reports that a page could not be moved, or was moved by someone else: `node` is where it lies.
  void correct(const Page& page, int node) {
    if (const auto entry = table_.find(page)) table_.set_home(*entry, node);
  }

  /// The actions since the last call, oldest first.
  std::vector<Action> take_actions() { return std::exchange(actions_, {}); }

  bool has_actions() const { return !actions_.empty(); }

  /// Pages move only after the first mapping of the threads (section 3.3). With data affinity alone that is
  /// the end of the first period.
  bool mapped() const { return mapped_; }

  const Counts& counts() const { return counts_; }
  const AffinityTable& table() const { return table_; }
  const AffinityMatrix& matrix() const { return matrix_; }
  const Hierarchy& hierarchy() const { return hierarchy_; }

 private:
  struct Present {             // the tasks that may be moved
    std::vector<int> threads;  // their numbers, in the order of the task ids
    Mapping places;
    Activity activity;
  };
  std::vector<int> movable() const;
  Present present() const;
  void count(std::size_t entry, int node);
  void share(std::size_t entry, unsigned offset, int thread);
  void consider_page(std::size_t entry);
  void map();
  bool pays(const AffinityMatrix& matrix, const Mapping& mapping, const Mapping& now) const;
  std::optional<Mapping> judged_candidate(const std::vector<int>& threads, const Mapping& now);
  bool may_remap(const AffinityMatrix& matrix, const Mapping& mapping, const Mapping& now);
  std::optional<Mapping> better_mapping(const std::vector<int>& threads, const Activity& activity,
                                        const Mapping& now);
  void try_places();
  void forget_trials();
  bool fits() const;
  bool worth_calculating(const AffinityMatrix& matrix, double cost);
  int number_of(Tasks::Id task);
  void place(const std::vector<int>& threads, const Mapping& mapping);

  Config config_;
  Hierarchy hierarchy_;
  AffinityTable table_;
  AffinityMatrix matrix_;
  Tasks tasks_;
  std::unordered_map<unsigned, int> leaf_of_pu_;
  std::vector<int> leaf_;     // by thread number: where it was last seen or sent
  std::vector<bool> placed_;  // by thread number: whether it was assigned a place
  std::vector<bool> pinned_;  // by thread number: whether it is bound to its place
  std::vector<double> ran_;   // by thread number: CPU seconds, aged like the matrix; negative: unknown
  std::vector<Action> actions_;
  Counts counts_;
  int page_shift_ = 0;
  bool mapped_ = false;
  double resident_bytes_ = 0;  // 0: unknown
  bool packed_ = false;        // the adopted mapping leaves nodes without threads
  int crowded_periods_ = 0;    // in a row, in which running threads shared a core needlessly
  double judged_cost_ = 0;     // of the mapping, per sharing event, when one was last calculated
  int calm_periods_ = 0;       // since then
  double adopted_cost_ = 0;    // of the last full remap, per sharing event
  int remaps_ = 0;             // full ones since that cost last changed
  Trial trial_;
  std::vector<int> trial_threads_;  // of the trials so far
  Mapping before_trial_;
  int next_trial_ = 0;
  double kept_rate_ = 0;                // of the program when a trial's places were last kept; 0: none are
  std::uint64_t pages_moved_seen_ = 0;  // at the last report of progress
  std::uint64_t samples_seen_ = 0;
  double recent_samples_ = 0;         // aged like the matrix
  std::optional<Mapping> candidate_;  // a calculated mapping that later sharing will judge
  std::vector<int> candidate_threads_;
  int candidate_periods_ = 0;        // for which it has been judged
  AffinityMatrix before_candidate_;  // the matrix when the candidate was calculated, aged since
  std::optional<double> next_map_;   // empty before the first sample or advance
};

}  // namespace gable::kmaf
