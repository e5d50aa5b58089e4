#include "model/predict/estimates/usual_core.hpp"

#include <set>

#include "model/points/needs/arithmetic.hpp"
#include "model/points/needs/instruction_rates.hpp"
#include "model/points/needs/stalls/path.hpp"
#include "model/points/threads.hpp"
#include "model/predict/estimates/fewer_cores.hpp"
#include "model/roofs/operation_latency.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

constexpr double least_additions = 2, most_additions = 6;  // per cycle

// Cycles for a number in double precision; one in single precision takes half.
struct Division {
  double least, most;
};
constexpr Division in_vector = {1.25, 12}, scalar = {4, 22};

class UsualCore {
 public:
  UsualCore(const Point& like, const FunctionWork& work, int cluster, Estimated which, EstimatedRoofs& to)
      : like_(like), work_(work), cluster_(cluster), which_(which), to_(to) {
    ghz_ = cluster_clock(to.roofs, cluster);
    cores_ = cores_used(to.roofs, like, cluster);
  }

  void add() {
    if (ghz_ <= 0 || cores_ <= 0) return;
    if (work_.instructions.executed > 0) add_additions();
    for (const Arithmetic& arithmetic : work_.arithmetic) {
      if (is_division(arithmetic.op) && !arithmetic_peak(to_.roofs, like_, cluster_, arithmetic))
        add_divisions(arithmetic);
    }
    for (const LatencyClassRow& row : latency_class_rows) {
      if (matters(row) && !operation_latency(to_.roofs.roofs, cluster_, row.value)) add_latency(row);
    }
  }

 private:
  Roof& add_roof(Kind kind, const Operation& op, double value) {
    Roof roof;
    roof.spec.kind = kind;
    roof.spec.cluster = cluster_;
    roof.spec.level = Level::core();
    roof.spec.pattern = Pattern::core;
    roof.spec.op = op;
    roof.spec.threads = 1;
    roof.value = roof.lo = roof.hi = value;
    roof.unit = unit_of(kind);
    roof.clock_ghz = ghz_;
    to_.roofs.roofs.push_back(roof);
    return to_.roofs.roofs.back();
  }

  void add_additions() {
    if (integer_limit(to_.roofs, like_, cluster_)) return;
    const double per_cycle = estimate_between(least_additions, most_additions, which_);
    add_roof(Kind::operation, operations::add, 1 / (per_cycle * ghz_)).adds_per_cycle = per_cycle;
    miss(to_, {NoteCode::missing_rate, {"instructions"}});
  }

  void add_divisions(const Arithmetic& arithmetic) {
    const bool is_vector = arithmetic.vector_bits > 0;
    const auto [least, most] = is_vector ? in_vector : scalar;
    const double cycles = estimate_between(most, least, which_) * row_of(arithmetic.precision).bytes / 8;
    Roof& roof =
        add_roof(Kind::flops, is_vector ? arithmetic.op : scalar_of(arithmetic.op), cores_ * ghz_ / cycles);
    roof.spec.precision = arithmetic.precision;
    roof.spec.threads = cores_;
    miss(to_, {NoteCode::missing_rate, {"divisions"}});
  }

  // One in a hundred instructions.
  bool matters(const LatencyClassRow& row) const {
    const Instructions& counts = work_.instructions;
    return !row.operation.empty() && counts.path[row.value] > 0.01 * counts.executed;
  }

  void add_latency(const LatencyClassRow& row) {
    const MeasuredRange usual = usual_latency(row, ghz_);
    double ns = which_ == Estimated::slow ? usual.hi : which_ == Estimated::fast ? usual.lo : usual.value;
    if (contains_multiplication(row.value)) {
      if (!operation_latency(to_.roofs.roofs, cluster_, LatencyClass::mul))
        add_latency(row_of(LatencyClass::mul));
      ns += operation_latency(to_.roofs.roofs, cluster_, LatencyClass::mul)->value;
    }
    add_roof(Kind::operation, Operation(row.operation), ns);
    miss(to_, {NoteCode::missing_latency, {"operations"}});
  }

  const Point& like_;
  const FunctionWork& work_;
  int cluster_;
  Estimated which_;
  EstimatedRoofs& to_;
  double ghz_ = 0;
  int cores_ = 0;
};

}  // namespace

void add_usual_core(const Point& like, const FunctionWork& work, Estimated which, EstimatedRoofs& to) {
  for (const int cluster : like.cluster >= 0 ? std::set{like.cluster} : clusters_of(to.roofs))
    UsualCore(like, work, cluster, which, to).add();
}

}  // namespace gable::model
