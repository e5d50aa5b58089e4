#pragma once

// The seam between what sees accesses and what manages. A sampler is one file and its row in samplers().

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/program/address_space.hpp"
#include "kmaf/live/samplers/event.hpp"

namespace gable::kmaf::live {

class Sampler {
 public:
  virtual ~Sampler() = default;

  /// Attaches to a program that waits to be executed. Everything that it starts is followed. Throws
  /// std::system_error.
  virtual void attach(pid_t program) = 0;
  /// What happened since the last call, in order of time.
  virtual Events read() = 0;
  /// Samples a second wanted from a program that has `resident_pages` of the system's in memory; 0: none.
  /// Without effect where there is a fixed rate.
  virtual void set_rate(double per_second, double resident_pages) {
    static_cast<void>(per_second), static_cast<void>(resident_pages);
  }
  /// No samples until `resume`, as far as that can be: too many came at once, or the budget is spent.
  virtual void pause() {}
  virtual void resume() {}
  /// Samples in a second of each thread's CPU time that were asked for once and for all; empty: `set_rate`.
  virtual std::optional<double> fixed_rate() const { return {}; }
  /// What a sample costs the program; 0 where that could not be measured.
  virtual double sample_seconds() { return 0; }
  /// The mappings of one of the program's processes were read, which is done about once a second.
  virtual void mapped(pid_t pid, const std::vector<MappedRange>& mappings) {
    static_cast<void>(pid), static_cast<void>(mappings);
  }
  /// Objects of shared memory that were made to be seen into, and by reason those that were not. Empty where
  /// nothing has to be done for that.
  virtual std::optional<Moves> shared_objects() const { return {}; }
  /// CPU time of the program and all it started, so far; empty where it is not known.
  virtual std::optional<double> cpu_seconds() { return {}; }
  /// Descriptors that become readable when `read` should be called before long.
  virtual std::vector<int> descriptors() const { return {}; }
  virtual std::uint64_t lost() const { return 0; }  ///< events that were dropped
};

/// Why a sampler cannot work here and what would let it. Both empty: it works.
struct Missing {
  std::string what;     ///< "kernel.numa_balancing is 0"
  std::string command;  ///< the command that changes it, to be run by an administrator
  explicit operator bool() const { return !what.empty(); }
};

/// Why perf answered `error`, an errno.
Missing perf_missing(const Settings& settings, int error);

/// A sampler, or what is missing.
struct Offer {
  std::unique_ptr<Sampler> sampler;
  Missing missing;
};

/// A sample brings its own cost and then some work of this process's, about as much again.
inline constexpr double consequences = 2;

struct SamplerEntry {
  const char* name;
  const char* summary;
  bool is_default;  ///< `auto` selects it; the others are selected by name only
  bool balances;    ///< it has the kernel's balancing switched on and sets its rate, for the whole machine
  /// `budget`: share of the program's CPU time. Nothing of the machine is changed before it is attached.
  Offer (*make)(Settings& settings, double budget);
};

/// Every sampler that sees accesses. Exactly one is the default.
const std::vector<SamplerEntry>& samplers();

/// Sees threads and processes come and go, but no accesses: by perf where that is allowed, else by reading
/// /proc every time it is asked.
std::unique_ptr<Sampler> make_follower();

}  // namespace gable::kmaf::live
