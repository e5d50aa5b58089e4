#pragma once

// gable place DIR: a workload under every placement of its parts over the tiers.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/apps/place.hpp"
#include "bench/apps/workload.hpp"
#include "cli/place/setup.hpp"
#include "model/records/placed.hpp"
#include "model/records/point.hpp"

namespace gable::cli {

/// Lets Ctrl-C end work that does not check for interruption: reading a graph, a long run, a verification.
/// After the first SIGINT or SIGTERM the command has half a second to end by itself. Then the process ends
/// by that signal at any point. This is safe: mappings are released, files in tiers have no name, and records
/// are written atomically.
class QuickStop {
 public:
  /// `last` is called before the process ends and returns what to tell().
  explicit QuickStop(std::function<std::string()> last);
  ~QuickStop();
  QuickStop(const QuickStop&) = delete;
  QuickStop& operator=(const QuickStop&) = delete;

  /// While it is held, the process does not end this way: writers of files hold it.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(writing_); }

 private:
  void watch();

  std::function<std::string()> last_;
  std::mutex writing_, mutex_;
  std::condition_variable over_;
  bool ended_ = false;
  std::thread watcher_;
};

/// All variants of a workload in all placements, each recorded as soon as it is measured.
class PlaceCampaign {
 public:
  struct Options {
    int cluster = 0;
    int runs = 10;                  ///< of every variant and placement
    std::string graph;              ///< its name
    std::uint64_t cache_bytes = 0;  ///< of the cluster's last level; 0: not known
    std::string dump;               ///< file for the first run's result; empty: none
    bool quiet = false;             ///< no progress
  };

  /// All of these must outlive this. Throws like reading the graph's name.
  PlaceCampaign(const Options& options, const bench::Graph& graph, bench::Workload& workload,
                std::vector<bench::Tier> tiers, QuickStop& quick_stop)
      : options_(options),
        graph_(graph),
        workload_(workload),
        tiers_(std::move(tiers)),
        quick_stop_(quick_stop) {}

  /// Runs everything with this team of threads and appends it to the file; stops early if interrupted.
  void run(const PlaceTeam& team, bench::Team& threads, const std::string& path);

  const std::vector<model::Placed>& placed() const { return placed_; }

 private:
  model::Placed one(const std::string& variant, const std::vector<const bench::Tier*>& where,
                    const PlaceTeam& team, bench::Crew& crew);
  void show(const std::string& variant, const std::vector<const bench::Tier*>& where, int made) const;

  const Options& options_;
  const bench::Graph& graph_;
  bench::Workload& workload_;
  std::vector<bench::Tier> tiers_;
  QuickStop& quick_stop_;
  std::vector<model::Placed> placed_;
  bool dumped_ = false;
};

struct PlaceArguments {
  std::string folder;
  std::string workload;  ///< one of bench::workload_names
  PlaceGraph graph;
  std::vector<std::string> tiers;   ///< as for tiers_of
  int cluster = 0;                  ///< whose threads
  std::vector<int> threads = {0};   ///< as for place_teams
  std::string smt = "no";           ///< as for place_teams
  bool json = false;                ///< print the records instead of the table
  PlaceCampaign::Options campaign;  ///< cluster and graph are set from the fields above
  bench::WorkloadOptions workload_options;
};

/// Adds to DIR/placements.jsonl and DIR/points.json, and prints the measurements. Throws Error::usage,
/// Error::interrupted, Error::format.
void place(PlaceArguments arguments);

/// Prints earlier placements, of this workload and graph unless these are empty. Throws Error::usage if there
/// are none.
void list_placements(const std::string& folder, const std::string& workload, const std::string& graph,
                     bool json);

/// One table per workload, graph, cluster and thread count: variants as rows, placements as columns (PMEM
/// graph thesis, tables 3.3 and 3.4), their ratio to the first, and the cost of moving each part; then, if
/// a graph was run with several numbers of threads or with and without SMT, a comparison of these for every
/// placement (tables 3.5 and 3.6).
std::string place_table(const std::vector<model::Placed>& placed);

/// The points of each workload, graph and cluster among the records: the variant and threads with the most
/// edges per second, in every placement, as "pagerank kron:20, 16 ranks, DP". Flops and bytes are those of
/// the algorithm (counter "algorithm"); records without flops, such as a search's, give no point. Placements
/// with all parts in one other tier are derived from the one with all parts in the first tier, so that an
/// arrow shows the cost of moving everything; arrows to mixed placements would lie on the same line. If the
/// nodes of a part are not known, as for a file on DAX, those of the point are not known either.
std::vector<model::Point> points_of_placements(const std::vector<model::Placed>& placed);

}  // namespace gable::cli
