#pragma once

// Observes a program and everything that it starts from outside, through perf_event_open(2): page faults with
// their addresses, starts and ends of threads and processes, CPU time. Nothing is injected into
// the program, so static and privileged binaries work too.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/perf/ring.hpp"
#include "kmaf/live/samplers/event.hpp"
#include "kmaf/live/samplers/sampler.hpp"

namespace gable::kmaf::live {

struct PerfRecords {
  Events events;
  std::uint64_t lost = 0;  ///< events that the kernel dropped
};

/// Parses consecutive records. Skips records of other kinds, and a truncated one at the
/// end.
void parse_records(std::span<const std::byte> bytes, PerfRecords& into);

struct PerfSource {
  std::string name;        ///< "cpu/mem-loads/"
  std::uint32_t type = 0;  ///< and the configuration, as in perf_event_attr
  std::uint64_t config = 0, config1 = 0, config2 = 0;
  std::uint64_t period = 1;     ///< events per sample
  std::uint64_t frequency = 0;  ///< samples per second of each thread's CPU time; 0: use `period`
  unsigned precise = 0;         ///< precise_ip
  /// The leader of its group, which only counts: without it, some processors record no address.
  std::optional<std::uint64_t> leader;
  bool samples_stores = false;  ///< beside loads; its samples tell which
  std::vector<int> cpus;        ///< CPUs that have the event; empty: all
  std::string needs;            ///< requirements to mention if perf refuses it; empty: only the usual ones

  bool operator==(const PerfSource&) const = default;
};

class PerfEvents {
 public:
  enum class What {
    page_faults,  ///< accesses that fault, and tasks
    tasks         ///< only tasks
  };

  /// 0 if perf lets this process observe its children, otherwise the errno of the attempt.
  static int refusal(What what);

  /// Opens one event and buffer per hardware thread on the process, from its next exec on. Throws
  /// std::system_error.
  PerfEvents(What what, pid_t program);
  /// The same with events of any source; each is opened on the hardware threads that have it.
  PerfEvents(const std::vector<PerfSource>& sources, pid_t program);
  PerfEvents(const PerfEvents&) = delete;
  PerfEvents& operator=(const PerfEvents&) = delete;

  /// Starts now, without an exec. Both throw std::system_error.
  void enable();
  void disable();
  /// Reports no faults until `resume`, at no cost; tasks are still reported. Only with
  /// What::page_faults. Both throw std::system_error.
  void pause();
  void resume();
  /// Events since the last call, in order of time.
  Events read();
  double cpu_seconds() const;
  std::uint64_t lost() const { return lost_; }
  std::vector<int> descriptors() const;

 private:
  struct Ring {
    Descriptor leader;  // of the event's group; -1: none
    Descriptor event;
    PerfRing buffer;
    std::optional<Descriptor> also;  // an event that writes into the same buffer and can be paused
    int cpu = 0;
  };
  void add_ring(const PerfSource& source, pid_t program, int cpu);
  void add_faults(pid_t program);
  void for_each_event(unsigned long request);
  void for_each_pausing(unsigned long request);

  std::vector<Ring> rings_;
  std::optional<Descriptor> clock_;
  std::vector<std::byte> unwound_;
  Events newer_;  // than the last call of read()
  std::uint64_t lost_ = 0;
};

/// A sampler that reads them, once `attach` has made them.
class PerfSampler : public Sampler {
 public:
  Events read() override { return events_->read(); }
  std::optional<double> cpu_seconds() override { return events_->cpu_seconds(); }
  std::vector<int> descriptors() const override { return events_->descriptors(); }
  std::uint64_t lost() const override { return events_ ? events_->lost() : 0; }

 protected:
  std::optional<PerfEvents> events_;
};

}  // namespace gable::kmaf::live
