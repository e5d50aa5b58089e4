#pragma once

// The hybrid bandwidth model: how long a cluster takes to load from and store into two memories at once.
// Section 6 of the LARM paper (equations 3 to 5, table 6). The law `phased` applies equation 5 to each
// stretch of the buffers in which the mix of memories stays the same. The law `turnaround` adds the cost of
// switching a memory between loads and stores. docs/placement/hybrid-model.md explains them.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// Load or store, slow or fast memory; fast is the one with the higher bandwidth.
enum class Transfer { ls, ss, lf, sf };
inline constexpr std::array<Transfer, 4> transfers = {Transfer::ls, Transfer::ss, Transfer::lf, Transfer::sf};
const char* name_of(Transfer transfer);  ///< "ls"
const char* meaning(Transfer transfer);  ///< "loads from the slow memory"

/// What `turnaround` adds to the time of a phase, as in model/hybrid/phases.hpp: the cost of switching
/// each memory between loads and stores, and the cost of contention between transfers of similar length.
enum class Term { turns_slow, turns_fast, contention };
inline constexpr std::array<Term, 3> terms = {Term::turns_slow, Term::turns_fast, Term::contention};
const char* name_of(Term term);  ///< "turns_slow"
const char* meaning(Term term);  ///< "turnarounds of the slow memory"

/// The laws that can be fitted, the simplest first.
enum class Law { equation5, phased, turnaround };
inline constexpr std::array<Law, 3> laws = {Law::equation5, Law::phased, Law::turnaround};
const char* name_of(Law law);  ///< "equation5"
const char* title(Law law);    ///< "equation 5"

/// One value for each member of an enumeration whose members are numbered from 0.
template <typename Key, typename Value, std::size_t count>
struct Per : std::array<Value, count> {
  using std::array<Value, count>::operator[];
  Value& operator[](Key key) { return (*this)[static_cast<std::size_t>(key)]; }
  const Value& operator[](Key key) const { return (*this)[static_cast<std::size_t>(key)]; }
};
template <typename Value>
using PerTransfer = Per<Transfer, Value, transfers.size()>;
template <typename Value>
using PerTerm = Per<Term, Value, terms.size()>;
template <typename Value>
using PerLaw = Per<Law, Value, laws.size()>;

/// How much of each transfer happens: q of the paper in bytes, or t in seconds.
using Quantities = PerTransfer<double>;

/// One cell of a grid: the bytes that are moved, and the time that this takes. Of a folder it is the time at
/// the reachable rate, as of every roof of one cluster; of a grid in a file the median of its rows.
struct Cell {
  Quantities bytes = {};
  Estimate seconds;  ///< with 95 % interval; n: repetitions

  bool operator==(const Cell& other) const;
};

/// b of the paper. `gb_per_s.n` counts the repetitions behind it, 0 when that is not known.
struct Bandwidth {
  std::optional<Estimate> gb_per_s;
  Note reason;  ///< why there is no bandwidth
};

/// θ is the share of a transfer that another, dominating one does not hide: 0 if it is hidden, 1 if the two
/// do not overlap. Otherwise the coefficient of a Term.
struct Parameter {
  std::optional<double> value;           ///< absent where the grid cannot determine it
  std::optional<double> standard_error;  ///< with the uncertainty of the bandwidths; absent when not known
  Note reason;                           ///< why the value is absent
};

/// The distance of a model from the cells, with y the measured and ŷ the model's bandwidth; absent if
/// unknown.
struct Errors {
  std::optional<double> paper_percent;  ///< footnote 10 as printed: 100/n sqrt(Σ ((y-ŷ)/ŷ)²), √n too small
  std::optional<double> rms_percent;           ///< 100 sqrt(Σ ((y-ŷ)/ŷ)² / n)
  std::optional<double> max_percent;           ///< the largest 100 |y-ŷ|/ŷ
  std::optional<double> held_out_rms_percent;  ///< of cells held out of the fit (10 folds); pure cells are
                                               ///< never held out, as they give the bandwidths
  /// The same with whole shares of loads held out, except the smallest and the largest share. A model that is
  /// right where it was fitted may be wrong between. Absent with fewer than three or more than 64 shares.
  std::optional<double> between_rms_percent;
  int cells = 0;  ///< n, of the first three
  int held_out_cells = 0;

  /// The expected error for a mix that was not measured: `held_out_rms_percent`, or half of
  /// `between_rms_percent` if that is larger. The latter cells are predicted over twice the distance, and the
  /// error grows at least in proportion to the distance.
  std::optional<double> unseen_percent() const;

  bool operator==(const Errors&) const = default;
};

/// The twelve θ: theta[dominating][other]; theta[x][x] is not used.
using Thetas = PerTransfer<PerTransfer<Parameter>>;

/// The index of a parameter in `HybridModel::covariance`: θ of (dominating, other), or ln b of (x, x). The
/// coefficients of the terms follow; only some laws have them.
constexpr std::size_t slot(Transfer dominating, Transfer other) {
  return 4 * static_cast<std::size_t>(dominating) + static_cast<std::size_t>(other);
}
constexpr std::size_t slot(Term term) {
  return 16 + static_cast<std::size_t>(term);
}
inline constexpr std::size_t slots = 16 + terms.size();
constexpr bool has_terms(Law law) {
  return law == Law::turnaround;
}
constexpr std::size_t slots_of(Law law) {
  return has_terms(law) ? slots : 16;
}
using Covariance = std::array<std::array<double, slots>, slots>;

struct HybridModel {
  Thetas theta;
  PerTerm<Parameter> terms;  ///< only of a law that has terms
  Errors errors;
  /// Covariance of the parameters and of the logarithms of the bandwidths; absent if unknown. The rows of
  /// absent parameters are 0.
  std::optional<Covariance> covariance;
};

/// The result of fitting a grid.
struct HybridFit {
  PerTransfer<Bandwidth> bandwidths;
  PerLaw<HybridModel> models;
  std::optional<Law>
      best;  ///< the law with the smallest error for held-out cells; absent if no law can be judged
  int cells = 0;
  int unmodelled_cells = 0;  ///< that use a transfer without a bandwidth

  const HybridModel& model(Law law) const { return models[law]; }
  HybridModel& model(Law law) { return models[law]; }
};

/// Bandwidths, the models of all laws and their errors. The cells may come in any order. Bandwidths are those
/// of the pure cells, in which one transfer happens alone. The parameters minimize the relative error
/// of the mixed cells whose dominating transfer is certain. A parameter that cannot be determined has a
/// reason, and so has a bandwidth without a pure cell; cells that need such a bandwidth are left out. Bytes
/// must be 0 or more and not all 0; seconds must be above 0.
HybridFit fit_hybrid(std::vector<Cell> cells);

/// One memory node of a pair.
struct MemoryNode {
  int node = 0;  ///< os index
  Tiers tier;    ///< one; none: not known

  bool operator==(const MemoryNode&) const = default;
};

/// The bandwidth that an application's streams reached. Placed like the cells but not fitted (LARM paper,
/// section 6.5).
struct Application {
  Operation op;  ///< "ddot", "scale_nt", "triad_nt"
  Cell cell;

  bool operator==(const Application& other) const = default;
};

/// A cell whose pages are interleaved N:M over both memories throughout, as Linux does it by weights.
struct InterleavedCell {
  int slow = 1, fast = 1;  ///< weights
  Cell cell;

  bool operator==(const InterleavedCell& other) const = default;
};

/// One cluster with two of its memories: the measured grid and the models fitted to it.
struct HybridPair {
  int cluster = 0;
  bool all_clusters = false;  ///< measured while all clusters did the same with memories of their own
  MemoryNode slow, fast;
  Status status = Status::ok;
  Note reason;         ///< why not ok: the pair was not measured, or no model can be fitted to its cells
  std::string source;  ///< of figures without cells: the table of a paper; empty if measured
  HybridFit fit;
  std::vector<Cell> cells;
  Pages pages;      ///< none if not measured
  int threads = 0;  ///< of the measurement; 0: unknown
  std::vector<Application> applications;
  std::vector<InterleavedCell> interleaved;  ///< not fitted: model/hybrid/interleave.hpp
};

/// The content of hybrid.json.
struct Hybrid {
  std::vector<HybridPair> pairs;
  std::vector<Roof> missing;  ///< cells that are skipped or invalid, with their reasons
};

}  // namespace gable::model
