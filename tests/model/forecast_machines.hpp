#pragma once

// Invented machines and profiles whose times are known.

#include <cmath>
#include <string>
#include <vector>

#include "model/predict/forecast.hpp"

namespace gable::model {

inline Forecast forecast(const Program& program, const Setting& there, const Setting* here) {
  return forecasts(program, {&there}, here).front();
}

}  // namespace gable::model

namespace gable::model::invented {

inline constexpr int cores = 4;
inline constexpr double small_cache = 32768, middle_cache = 1 << 20, large_cache = 32 << 20;

inline Roof roof(Kind kind, const char* level, Pattern pattern, const Operation& op, double value) {
  Roof made;
  made.spec.kind = kind;
  made.spec.level = Level(level);
  made.spec.pattern = pattern;
  made.spec.op = op;
  made.spec.threads = kind == Kind::latency ? 1 : cores;
  if (is_in_memory(pattern)) {
    made.spec.node = 0;
    made.spec.tier = Tier::dram;
  }
  made.value = made.lo = made.hi = value;
  made.unit = unit_of(kind);
  made.n = 5;
  return made;
}

/// Four cores with three levels of caches; everything `speed` times as fast as of speed 1.
inline Roofs roofs(double speed = 1) {
  Roofs all;
  const auto add = [&](const Roof& made) { all.roofs.push_back(made); };
  const auto bandwidth = [&](const char* level, Pattern pattern, double value) {
    add(roof(Kind::bandwidth, level, pattern, operations::load, value * speed));
    add(roof(Kind::bandwidth, level, pattern, operations::store, value * speed / 2));
  };
  bandwidth("L1", Pattern::cache, 800);
  bandwidth("L2", Pattern::cache, 400);
  bandwidth("L3", Pattern::cache, 200);
  bandwidth("memory", Pattern::local, 40);
  for (const auto& [level, ns] : {std::pair{"L2", 4.0}, {"L3", 16.0}})
    add(roof(Kind::latency, level, Pattern::cache, operations::chase, ns / speed));
  add(roof(Kind::latency, "memory", Pattern::local, operations::chase, 100 / speed));
  add(roof(Kind::random, "memory", Pattern::local, operations::random, 200 * speed));
  for (const auto& [op, value] :
       {std::pair{operations::add, 50.0}, {operations::mul, 50.0}, {operations::fma, 100.0}}) {
    Roof peak = roof(Kind::flops, "core", Pattern::core, op, value * speed);
    peak.spec.precision = Precision::dp;
    add(peak);
  }
  for (Roof& each : all.roofs) each.clock_ghz = 3 * speed;
  all.machine_cores = {{0, cores}};
  all.machine_nodes = {{0, {0}}};
  all.machine_tiers = {{0, Tier::dram}};
  return all;
}

inline Setting setting(const Roofs& of, const std::string& name = "here", double cache_factor = 1) {
  Setting made;
  made.machine = name;
  made.roofs = &of;
  made.caches = {{"L1", small_cache, false},
                 {"L2", cache_factor * middle_cache, false},
                 {"L3", cache_factor * large_cache, true, cores}};
  made.like.name = "app";
  made.like.threads = cores;
  made.like.node_bytes = {{0, 1 << 30}};
  made.like.policy = "first-touch";
  for (const Roof& each : of.roofs) made.clock_ghz = std::max(made.clock_ghz, each.clock_ghz);
  return made;
}

/// What a function does to lines that were used `bytes` of other lines ago.
struct Uses {
  double bytes = 0, lines = 0;
  AccessOrder order = AccessOrder::sequential;
  double flops = 0;
};

inline int bucket_of(double bytes) {
  return 1 + static_cast<int>(std::floor(4 * std::log2(bytes / profile_line_bytes) + 1e-9));
}

inline Profile profile(const std::vector<Uses>& functions) {
  Profile made;
  made.command = {"./app"};
  made.architecture = "x86-64";
  made.threads = cores;
  made.objects.resize(1);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const Uses& of = functions[i];
    const std::string name = "f" + std::to_string(i);
    FunctionWork work{name, "app", of.flops, of.lines * profile_line_bytes, 0};
    if (of.flops > 0) work.arithmetic = {{operations::fma, Precision::dp, 256, of.flops}};
    made.functions.push_back(work);
    made.places.push_back({name, "app", "", 0});
    const int place = static_cast<int>(i);
    made.accesses.push_back({place, 0, of.lines * 8, 0, of.lines * profile_line_bytes, 0});
    ProfileUses uses;
    uses.place = place;
    for (LineUses* each : {&uses.own, &uses.all})
      each->read[static_cast<std::size_t>(of.order)] = {{bucket_of(of.bytes), of.lines}};
    made.uses.push_back(uses);
  }
  return made;
}

inline Program program(const Profile& of) {
  return {[&of](const std::vector<ProfileCache>& caches, const Setting& at) {
            return work_parts(of, caches, at.tlb, at.like);
          },
          of.threads};
}

/// The same setting with a measured time.
inline Setting timed(Setting of, double seconds, double interval = 0) {
  of.like.seconds = seconds;
  of.like.seconds_lo = seconds * (1 - interval);
  of.like.seconds_hi = seconds * (1 + interval);
  of.like.repetitions = 3;
  return of;
}

}  // namespace gable::model::invented
