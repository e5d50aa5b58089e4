#include "model/predict/point_program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "model/points/access.hpp"
#include "model/points/binding.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"

namespace gable::model {
namespace {

void place(Point& point, const Point& like) {
  point.node_bytes = like.node_bytes;
  point.policy = like.policy;
  point.access = like.access;
  point.access_source = like.access_source;
  point.access_samples = like.access_samples;
  point.huge_pages_percent = like.huge_pages_percent;
}

WorkFor work_by_levels(const Point& point) {
  return [point](const std::vector<ProfileCache>&, const Setting& setting) {
    WorkParts parts = work_parts(point);
    for (WorkPart& part : parts) place(part.point, setting.like);
    return parts;
  };
}

// Its instructions, and these bytes of the memory; nothing is known of the caches between.
WorkFor work_with(const Point& point, const LevelBytes& memory) {
  return [point, memory](const std::vector<ProfileCache>& caches, const Setting& setting) {
    Point own = point;
    place(own, setting.like);
    own.functions.clear();
    for (std::size_t i = 1; i < caches.size(); ++i) {
      if (const Level level(caches[i].level); !is_side_cache(level)) own.levels.push_back({level});
    }
    own.levels.push_back(memory);
    return WorkParts{{own.name, own, {}}};
  };
}

// What the memory transfers for these loads and stores of instructions.
LevelBytes accessed(double loads, double stores) {
  LevelBytes bytes;
  bytes.level = Level::memory();
  bytes.read = loads + stores;
  bytes.written = stores;
  return bytes;
}

bool knows_accesses(const Point& point) {
  return !point.access.empty() && point.access_source != AccessSource::samples;
}

// Whether the rate of random loads is known for every memory whose bandwidth is.
bool knows_random_everywhere(const Roofs& roofs, int cluster) {
  const auto is_of_memory = [&](const Roof& roof, Kind kind) {
    return roof.status == Status::ok && roof.spec.kind == kind && roof.spec.cluster == cluster &&
           is_memory(roof.spec.level) && is_one_to_one(roof.spec.pattern);
  };
  return std::ranges::all_of(roofs.roofs, [&](const Roof& of) {
    return !is_of_memory(of, Kind::bandwidth) || std::ranges::any_of(roofs.roofs, [&](const Roof& random) {
      return is_of_memory(random, Kind::random) && random.spec.node == of.spec.node;
    });
  });
}

constexpr const char* unknown_memory_time =
    "how much of its time memory takes is not known without its bytes by level: the interval reaches from "
    "none of it to all of it";

// The program of a Point without bytes by level.
class UnknownLevels {
 public:
  UnknownLevels(const Setting& here, const Point& point)
      : roofs_(*here.roofs),
        point_(point),
        reading_(read_point(roofs_, point_, here.hybrid)),
        memory_(memory_limits(roofs_, point_, reading_.cluster, node_shares(point_), here.hybrid)) {
    require();
  }

  PointProgram take() const {
    const Limit from = roof_now();
    const Bound bound = reading_.in_cache ? Bound::no : bound_by(reading_, from);
    PointProgram found;
    found.program.threads = point_.threads;
    for (const LevelBytes& bytes : may_move(from, bound)) {
      const WorkFor work = work_with(point_, bytes);
      if (!found.program.work) {
        found.program.work = work;
      } else {
        found.program.others.push_back(work);
      }
    }
    if (!found.program.others.empty()) found.note = unknown_memory_time;
    return found;
  }

 private:
  void require() const {
    if (reading_.gb_per_s <= 0) throw Error::usage(point_.name, "the point moves no bytes");
    const std::map<int, double> shares = node_shares(point_);
    if (shares.empty()) throw Error::usage(point_.name, "where the point's data lies now is not known");
    if (memory_.empty()) {
      const std::string nodes = joined(shares, [](const auto& each) { return std::to_string(each.first); });
      throw Error::usage(point_.name,
                         fmt::format("no memory roof of this cluster was measured for node {}", nodes));
    }
    if (reading_.roof.empty()) throw Error::usage(point_.name, reading_.verdict.text());
    if (reading_.limit.kind == Limit::Kind::side_cache)
      throw Error::usage(point_.name,
                         fmt::format("the memory-side cache {} holds a part of its data, and what it gives "
                                     "after a move is not known",
                                     reading_.limit.level.name()));
  }

  // The lowest roof above the Point among the ascending roofs of its data's location.
  Limit roof_now() const {
    return *std::find_if(memory_.begin(), memory_.end() - 1,
                         [&](const Limit& limit) { return !is_above(reading_, limit); });
  }

  LevelBytes all_bytes() const {
    if (!knows_accesses(point_)) return accessed(point_.load_bytes, point_.store_bytes);
    LevelBytes bytes = accessed(0, 0);
    for (const NodeAccess& access : point_.access) {
      bytes.read += access.load;
      bytes.written += access.store;
    }
    bytes.read = std::max(bytes.read, bytes.written);
    return bytes;
  }

  // What the memory transfers if so much of it passes for the Point's mix.
  LevelBytes with_sum(double bytes) const {
    return accessed(bytes * load_share(point_), bytes * (1 - load_share(point_)));
  }

  // What its memory may transfer; the first is what has the least effect.
  std::vector<LevelBytes> may_move(const Limit& from, Bound bound) const {
    if (bound != Bound::no) return {all_bytes()};
    std::vector<LevelBytes> all = {knows_accesses(point_) ? all_bytes() : accessed(0, 0)};
    const double parts = cluster_share(roofs_, point_);
    if (reading_.in_cache) {
      if (point_.access_source != AccessSource::replay) all.push_back(with_sum(data_bytes()));
      return all;
    }
    if (!knows_accesses(point_)) all.push_back(with_sum(from.value * 1e9 * point_.seconds / parts));
    if (is_bound_elsewhere()) return all;
    all.push_back(with_lines(chained_lines() / parts));
    all.back().chained = all.back().read;
    if (const double lines = random_lines(); lines > 0) {
      all.push_back(with_lines(lines / parts));
      all.back().irregular = all.back().read;
    }
    return all;
  }

  // What comes near to a peak or to a cache's roof does not wait for loads from memory.
  bool is_bound_elsewhere() const {
    const bool elsewhere =
        reading_.limit.kind == Limit::Kind::flops || reading_.limit.kind == Limit::Kind::cache;
    return elsewhere && bound_by(reading_, reading_.limit) == Bound::yes;
  }

  double data_bytes() const {
    double bytes = 0;
    for (const auto& [node, of_node] : point_.node_bytes) bytes += static_cast<double>(of_node);
    return bytes;
  }

  static LevelBytes with_lines(double lines) { return accessed(lines * profile_line_bytes, 0); }

  // So many lines of the cluster take the Point's time one after the other. Without a latency any number
  // does: forecasts are then refused, because it is missing.
  double chained_lines() const {
    constexpr double any = 100;  // nanoseconds
    const auto known = latency_of(roofs_, point_, reading_.cluster, Level::memory());
    const double ns = known && known->value > 0 ? known->value : any;
    return cores_used(roofs_, point_, reading_.cluster) * point_.seconds * 1e9 / ns;
  }

  double random_lines() const {
    if (!knows_random_everywhere(roofs_, reading_.cluster)) return 0;
    const auto known = random_rate(roofs_, point_, reading_.cluster, Level::memory());
    return known ? std::max(known->lo, known->value) * 1e6 * point_.seconds : 0;
  }

  const Roofs& roofs_;
  const Point& point_;
  Reading reading_;
  std::vector<Limit> memory_;
};

}  // namespace

PointProgram program_of_point(const Setting& here, const Point& point) {
  if (point.levels.empty()) return UnknownLevels(here, point).take();
  return {{work_by_levels(point), point.threads}, ""};
}

}  // namespace gable::model
