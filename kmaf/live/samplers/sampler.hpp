#pragma once

// The interface between samplers and policies. A sampler is one file and its row in samplers().

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

  /// Attaches to a program before its exec, and follows everything that it starts. Throws
  /// std::system_error.
  virtual void attach(pid_t program) = 0;
  /// Events since the last call, in order of time.
  virtual Events read() = 0;
  /// Sets the target in samples per second, for a program with `resident_pages` system pages in memory; 0:
  /// none. No effect for a fixed rate.
  virtual void set_rate(double per_second, double resident_pages) {
    static_cast<void>(per_second), static_cast<void>(resident_pages);
  }
  /// Stops sampling until `resume`, as far as possible: too many samples came at once, or the budget is used
  /// up.
  virtual void pause() {}
  virtual void resume() {}
  /// A fixed rate in samples per second of each thread's CPU time; empty: the rate follows `set_rate`.
  virtual std::optional<double> fixed_rate() const { return {}; }
  /// Whether it samples loads and stores alike and tells them apart.
  virtual bool tells_stores() const { return false; }
  /// Cost of a sample to the program; 0 if it could not be measured.
  virtual double sample_seconds() { return 0; }
  /// It is called about once a second, when the mappings of one of the program's processes were read.
  virtual void mapped(pid_t pid, const std::vector<MappedRange>& mappings) {
    static_cast<void>(pid), static_cast<void>(mappings);
  }
  /// Shared memory objects that were made visible to the sampler, and failures by reason. Empty if the
  /// sampler needs no such change.
  virtual std::optional<Moves> shared_objects() const { return {}; }
  /// CPU time so far of the program and all it started; empty if not known.
  virtual std::optional<double> cpu_seconds() { return {}; }
  /// Descriptors that become readable when `read` should be called soon.
  virtual std::vector<int> descriptors() const { return {}; }
  virtual std::uint64_t lost() const { return 0; }  ///< events that were dropped
};

/// Why a sampler cannot work here and which command would allow it. Both empty: it works.
struct Missing {
  std::string what;     ///< "kernel.numa_balancing is 0"
  std::string command;  ///< the command for an administrator
  explicit operator bool() const { return !what.empty(); }
};

/// Why perf returned `error`, an errno.
Missing perf_missing(const Settings& settings, int error);

/// A sampler, or its missing requirement.
struct Offer {
  std::unique_ptr<Sampler> sampler;
  Missing missing;
};

/// A sample has its own cost and causes about as much work in this process.
inline constexpr double consequences = 2;

struct SamplerEntry {
  const char* name;
  const char* summary;
  bool is_default;  ///< `auto` selects it; the others are selected by name only
  bool balances;    ///< it switches the kernel's balancing on and sets its rate, system-wide
  /// `budget`: share of the program's CPU time. Changes no system setting before it is attached.
  Offer (*make)(Settings& settings, double budget);
};

/// All samplers of accesses. Exactly one is the default.
const std::vector<SamplerEntry>& samplers();

/// Follows threads and processes but samples no accesses: through perf if allowed, otherwise by reading
/// /proc at each call.
std::unique_ptr<Sampler> make_follower();

extern const SamplerEntry hint_faults_sampler;
extern const SamplerEntry hardware_sampler;

}  // namespace gable::kmaf::live
