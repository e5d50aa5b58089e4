#pragma once

// Random but valid records, and simple ones.

#include <random>
#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

using Generator = std::mt19937_64;

inline int uniform(Generator& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

template <Tabled T>
T any_member(Generator& random) {
  return table(T())[static_cast<std::size_t>(uniform(random, 0, static_cast<int>(table(T()).size()) - 1))]
      .value;
}

inline const std::string& any_of(Generator& random, const std::vector<std::string>& choices) {
  return choices[static_cast<std::size_t>(uniform(random, 0, static_cast<int>(choices.size()) - 1))];
}

// Text with characters that are difficult for formats.
inline std::string any_text(Generator& random) {
  static const std::vector<std::string> parts = {"a", "\"", "\\", "\n", "\t", "é", "✓",
                                                 " ", "=",  ",",  "%",  "{",  "0"};
  std::string text;
  for (int i = uniform(random, 0, 6); i > 0; --i) text += any_of(random, parts);
  return text;
}

inline Case any_case(Generator& random) {
  Case spec;
  spec.kind = any_member<Kind>(random);
  spec.cluster = uniform(random, 0, 7);
  spec.level = Level(any_of(random, {"L1", "L2", "L3", "memory", "core"}));
  spec.pattern = *named<Pattern>(
      any_of(random, {"cache", "local", "local_all", "remote", "contended", "congested", "ladder", "core"}));
  spec.node = uniform(random, -1, 9);
  spec.tier = *tiers_named(any_of(random, {"DRAM", "HBM", "NVM", "CXL", "DRAM+HBM", "CXL+DRAM", ""}));
  spec.op = Operation(any_text(random));
  spec.kernel = any_text(random);
  spec.precision = *gable::model::named<Precision>(any_of(random, {"dp", "sp", ""}));
  spec.pages = *pages_named(any_of(random, {"4k", "2m", "1g", ""}));
  spec.threads = uniform(random, 0, 256);
  spec.smt = uniform(random, 0, 1) == 1;
  spec.bytes = random() >> uniform(random, 0, 63);
  spec.load_percent = uniform(random, 0, 100);
  if (spec.node >= 0 && uniform(random, 0, 4) == 0) {
    spec.pattern = Pattern::hybrid;
    spec.other_node = spec.node + uniform(random, 1, 5);
    spec.node_percent = uniform(random, 0, 100);
    if (uniform(random, 0, 1) == 1) {
      spec.node_weight = uniform(random, 1, 255);
      spec.other_weight = uniform(random, 1, 255);
    }
  }
  if (spec.kind == Kind::validation) spec.flop_per_byte = uniform(random, 1, 1000) / 64.0;
  return spec;
}

inline Sample any_sample(Generator& random) {
  std::lognormal_distribution<double> positive(0, 8);
  Sample sample;
  sample.spec = any_case(random);
  sample.round = uniform(random, 0, 99);
  sample.status = static_cast<Status>(uniform(random, 0, 2));
  const bool ok = sample.status == Status::ok;
  if (!ok) sample.reason = Note("because" + any_text(random));
  for (int i = uniform(random, ok ? 1 : 0, 9); i > 0; --i) {
    sample.seconds.push_back(positive(random));
    sample.work.push_back(positive(random));
    if (has_load(sample.spec.kind)) sample.load_bytes.push_back(positive(random));
  }
  sample.disturbed = uniform(random, 0, 9);
  sample.stopped = any_of(random, {"tight", "time", "interrupted", ""});
  sample.clock_ghz = positive(random);
  if (uniform(random, 0, 1) == 1) {
    sample.crowded = uniform(random, 0, 9);
    sample.adds_per_cycle = positive(random);
  }
  sample.steal_percent = uniform(random, 0, 100);
  for (int i = uniform(random, 0, 4); i > 0; --i)
    sample.cpus.push_back(static_cast<unsigned>(uniform(random, 0, 511)));
  for (int i = uniform(random, 0, 4); i > 0; --i) sample.node_bytes[uniform(random, 0, 9)] = random();
  for (int i = uniform(random, 0, 3); i > 0; --i) sample.notes.emplace_back(any_text(random));
  sample.started = any_text(random);
  return sample;
}

/// One visit to a plain cell: `rates` in GB/s.
inline Sample visit(const std::vector<double>& rates, int round = 0) {
  Sample sample;
  sample.spec.kind = Kind::bandwidth;
  sample.spec.level = Level::memory();
  sample.spec.pattern = Pattern::local;
  sample.spec.node = 0;
  sample.spec.tier = Tier::dram;
  sample.spec.op = operations::load;
  sample.spec.kernel = "load_avx2";
  sample.spec.pages = *pages_named("4k");
  sample.spec.threads = 2;
  sample.spec.bytes = 1 << 20;
  sample.round = round;
  for (const double rate : rates) {
    sample.work.push_back(1e9);
    sample.seconds.push_back(1 / rate);
  }
  return sample;
}

}  // namespace gable::model
