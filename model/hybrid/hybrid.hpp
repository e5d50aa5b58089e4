#pragma once

// The hybrid bandwidth model: how long a cluster takes to load from and store into two memories at once.
// Section 6 of the LARM paper (equations 3 to 5, table 6); `phased`, which applies equation 5 to each stretch
// of the buffers in which the mix of memories stays the same; and `turnaround`, which adds what turning a
// memory round costs. docs/model.md explains them.

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

/// What `turnaround` adds to the time of a phase, in the form of model/hybrid/turnaround.hpp: what turns
/// between loading and storing cost in each memory, and what transfers cost each other that take about as
/// long.
enum class Term { turns_slow, turns_fast, contention };
inline constexpr std::array<Term, 3> terms = {Term::turns_slow, Term::turns_fast, Term::contention};
const char* name_of(Term term);  ///< "turns_slow"
const char* meaning(Term term);  ///< "turns of the slow memory"

/// The laws that can be fitted, the simplest first.
enum class Law { equation5, phased, turnaround };
inline constexpr std::array<Law, 3> laws = {Law::equation5, Law::phased, Law::turnaround};
const char* name_of(Law law);  ///< "equation5"
const char* title(Law law);    ///< "equation 5"

/// A value for each of an enumeration that counts from 0.
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

/// One cell of a grid: what is moved, and how long that takes over its repetitions.
struct Cell {
  Quantities bytes = {};
  Estimate seconds;  ///< median, 95 % interval, repetitions

  bool operator==(const Cell& other) const;
};

/// b of the paper. `gb_per_s.n` counts the repetitions behind it, 0 when that is not known.
struct Bandwidth {
  std::optional<Estimate> gb_per_s;
  std::string reason;  ///< why there is none
};

/// θ, the share of a transfer that another, dominating one does not overlap: 0 hidden, 1 not overlapped at
/// all; or the coefficient of a Term.
struct Parameter {
  std::optional<double> value;           ///< absent where the grid cannot determine it
  std::optional<double> standard_error;  ///< with the uncertainty of the bandwidths; absent when not known
  std::string reason;                    ///< why the value is absent
};

/// How far a model is from the cells, of y the measured and ŷ the model's bandwidth; absent when not known.
struct Errors {
  std::optional<double> paper_percent;  ///< footnote 10 as printed: 100/n sqrt(Σ ((y-ŷ)/ŷ)²), √n too small
  std::optional<double> rms_percent;           ///< 100 sqrt(Σ ((y-ŷ)/ŷ)² / n)
  std::optional<double> max_percent;           ///< the largest 100 |y-ŷ|/ŷ
  std::optional<double> held_out_rms_percent;  ///< of cells that the fit has not seen (10 folds); pure cells,
                                               ///< which are the bandwidths, are never held out
  /// The same of whole shares of loads in all bytes, but for the least and the largest: a model that is right
  /// where it was fitted may be wrong between. Absent where there are fewer than three, or more than 64.
  std::optional<double> between_rms_percent;
  int cells = 0;  ///< n, of the first three
  int held_out_cells = 0;

  /// How far the model is from a mix that was not measured: `held_out_rms_percent`, or half of
  /// `between_rms_percent` where that is more, since those cells were told over twice the distance, with
  /// which the error grows at least.
  std::optional<double> unseen_percent() const;

  bool operator==(const Errors&) const = default;
};

/// The twelve θ: theta[dominating][other]; theta[x][x] is not used.
using Thetas = PerTransfer<PerTransfer<Parameter>>;

/// Where a parameter stands in `HybridModel::covariance`: θ of (dominating, other), or ln b of (x, x); after
/// them the coefficients of the terms, which only some laws have.
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
  PerTerm<Parameter> terms;  ///< of a law that has them
  Errors errors;
  /// Of the parameters and the logarithms of the bandwidths; absent when not known. Rows of absent parameters
  /// are 0.
  std::optional<Covariance> covariance;
};

/// What a grid amounts to.
struct HybridFit {
  PerTransfer<Bandwidth> bandwidths;
  PerLaw<HybridModel> models;
  std::optional<Law> best;  ///< the least error of what it has not seen; absent where none can be judged
  int cells = 0;
  int unmodelled_cells = 0;  ///< that use a transfer without a bandwidth

  const HybridModel& model(Law law) const { return models[law]; }
  HybridModel& model(Law law) { return models[law]; }
};

/// Bandwidths, the models of all laws and their errors. The cells may come in any order. Bandwidths are the
/// medians of the pure cells, in which one transfer happens alone; parameters minimise the relative error of
/// the mixed cells in which it is clear which transfer dominates. One that cannot be determined has a reason,
/// and so has a bandwidth without a pure cell; cells that need one are left out. Bytes must be 0 or more and
/// not all 0, seconds above 0.
HybridFit fit_hybrid(std::vector<Cell> cells);

/// A memory node as a pair names it.
struct MemoryNode {
  int node = 0;      ///< os index
  std::string tier;  ///< "DRAM", "HBM", "NVM", "CXL"

  bool operator==(const MemoryNode&) const = default;
};

/// What an application's streams reached, laid like the cells but not fitted (LARM paper, section 6.5).
struct Application {
  std::string op;  ///< "ddot", "scale_nt", "triad_nt"
  Cell cell;

  bool operator==(const Application& other) const = default;
};

/// A cell whose pages lie N:M over both memories all the way, as Linux interleaves them by weights.
struct InterleavedCell {
  int slow = 1, fast = 1;  ///< weights
  Cell cell;

  bool operator==(const InterleavedCell& other) const = default;
};

/// One cluster with two of its memories: the grid that was measured and what it amounts to.
struct HybridPair {
  int cluster = 0;
  MemoryNode slow, fast;
  Status status = Status::ok;
  std::string reason;  ///< why not ok: the pair was not measured, or its cells do not make a model
  std::string source;  ///< where figures without cells come from (a table of a paper); empty when measured
  HybridFit fit;
  std::vector<Cell> cells;
  std::string pages;  ///< "4k", "2m" where it was measured
  int threads = 0;    ///< that measured it; 0: not known
  std::vector<Application> applications;
  std::vector<InterleavedCell> interleaved;  ///< not fitted: model/hybrid/interleave.hpp
};

/// The content of hybrid.json.
struct Hybrid {
  std::vector<HybridPair> pairs;
  std::vector<Roof> missing;  ///< cells that are skipped or invalid, with their reasons
};

}  // namespace gable::model
