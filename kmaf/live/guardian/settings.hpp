#pragma once

// System-wide settings that are files: sysctls and the scheduler's knobs in debugfs.

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "kmaf/live/guardian/journal.hpp"

namespace gable::kmaf::live {

class Settings {
 public:
  /// Below `root`, which is / but in tests.
  explicit Settings(std::filesystem::path root) : root_(std::move(root)) {}

  /// The first line of the file; empty where it cannot be read.
  std::optional<std::string> read(const std::string& path) const;
  bool can_write(const std::string& path) const;
  const std::filesystem::path& root() const { return root_; }

  /// From here on settings may be changed, and every change goes into the journal first.
  void record_in(Journal& journal) { journal_ = &journal; }
  Journal* journal() const { return journal_; }  ///< nullptr: nothing may be changed yet
  /// False where the value was refused. Throws std::logic_error without a journal.
  bool write(const std::string& path, const std::string& value);

 private:
  std::filesystem::path root_;
  Journal* journal_ = nullptr;
  std::set<std::string> changed_;
};

/// Writes the value in one piece: whoever is killed meanwhile leaves the old one or the new one. False where
/// it is refused.
bool write_setting(const std::filesystem::path& file, const std::string& value);

/// Where the kernel's knobs are.
inline constexpr const char* numa_balancing = "/proc/sys/kernel/numa_balancing";
inline constexpr const char* perf_event_paranoid = "/proc/sys/kernel/perf_event_paranoid";
inline constexpr const char* scan_knobs = "/sys/kernel/debug/sched/numa_balancing/";

/// Whether the kernel hides pages of all nodes for hint faults: the lowest bit of kernel.numa_balancing. The
/// other one is for memory tiers alone.
bool balancing_is_on(const Settings& settings);
/// Switches it on and leaves the other bit.
bool switch_balancing_on(Settings& settings);

}  // namespace gable::kmaf::live
