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
  /// Settings are below `root`, which is / except in tests.
  explicit Settings(std::filesystem::path root) : root_(std::move(root)) {}

  /// The first line of the file; empty if it cannot be read.
  std::optional<std::string> read(const std::string& path) const;
  bool can_write(const std::string& path) const;
  const std::filesystem::path& root() const { return root_; }

  /// From here on settings may be changed; every change is journalled first.
  void record_in(Journal& journal) { journal_ = &journal; }
  Journal* journal() const { return journal_; }  ///< nullptr: nothing may be changed yet
  /// False if the value was refused. Throws std::logic_error without a journal.
  bool write(const std::string& path, const std::string& value);

 private:
  std::filesystem::path root_;
  Journal* journal_ = nullptr;
  std::set<std::string> changed_;
};

/// The first line of a file; empty if it cannot be read or has none.
std::optional<std::string> first_line(const std::filesystem::path& file);

/// Writes the value in one call, so that a killed process leaves either the old or the new value. False if
/// it is refused.
bool write_setting(const std::filesystem::path& file, const std::string& value);

/// Paths of the kernel's settings.
inline constexpr const char* numa_balancing = "/proc/sys/kernel/numa_balancing";
inline constexpr const char* perf_event_paranoid = "/proc/sys/kernel/perf_event_paranoid";
inline constexpr const char* scan_knobs = "/sys/kernel/debug/sched/numa_balancing/";

/// Whether the kernel hides pages of all nodes for hint faults: the lowest bit of kernel.numa_balancing. The
/// other bit concerns only memory tiers.
bool balancing_is_on(const Settings& settings);
/// Sets the lowest bit and keeps the other.
bool switch_balancing_on(Settings& settings);

}  // namespace gable::kmaf::live
