#include "cli/recording.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/error.hpp"
#include "base/files.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/message.hpp"
#include "kernels/kernel.hpp"
#include "machines/json.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;

RecordedMachine described(const std::string& description) {
  return machine_from_json(description, "the description of this machine", "report it");
}

std::string made(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error == std::errc::permission_denied || error == std::errc::read_only_file_system)
    throw Error::failed(fmt::format("{}: cannot be made: {}", folder, error.message()));
  if (error) throw Error::usage(fmt::format("{}: {}", folder, error.message()));
  return folder;
}

std::string description_of(const machines::Machine& machine, const machines::Host* host) {
  return machines::machine_json(machine, host, kernels::isas(),
                                {{"version", GABLE_VERSION}, {"compiler", GABLE_COMPILER}});
}

// Empty where nothing was recorded yet.
VisitLog<model::Sample> log_in(const std::string& folder, const std::string& description) {
  const std::string path = folder + "/samples.jsonl";
  if (fs::exists(folder + "/machine.json")) {
    require_same_machine(folder, description);
    complete_lines(path);
  } else if (fs::exists(path)) {
    throw Error::usage(fmt::format("{}: samples.jsonl without machine.json; give another folder", folder));
  }
  return VisitLog<model::Sample>(path);
}

bench::Done ok_visits(const VisitLog<model::Sample>& log) {
  bench::Done done;
  for (const model::Sample& sample : log.recorded()) {
    if (sample.status == model::Status::ok)
      done[{model::key(sample.spec), sample.round}] = bench::visit_rate(sample);
  }
  return done;
}

}  // namespace

machines::Machine measurable_machine() {
  machines::Machine machine = machines::this_machine();
  if (machine.is_this_host) return machine;
  throw Error::usage("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: unset it");
}

void require_same_machine(const std::string& folder, const std::string& description) {
  if (same_machine(recorded_machine(folder).value(), described(description))) return;
  throw Error::usage(
      fmt::format("{}: was measured on another machine, or in another cpuset; give another folder", folder));
}

FolderLock::FolderLock(const std::string& folder)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_ && errno == EACCES) throw Error::failed(fmt::format("{}: {}", folder, std::strerror(EACCES)));
  if (!folder_) throw Error::usage(fmt::format("{}: {}", folder, std::strerror(errno)));
  // A process that was killed holds its lock until the kernel has freed its memory.
  constexpr int tries = 30;
  constexpr std::chrono::milliseconds apart(100);
  for (int i = 0; i < tries; ++i) {
    if (flock(folder_.get(), LOCK_EX | LOCK_NB) == 0) return;
    if (errno == ENOLCK || errno == EOPNOTSUPP) return;  // a file system without locks
    std::this_thread::sleep_for(apart);
  }
  throw Error::failed(fmt::format(
      "{}: another 'gable measure' is running in this folder; wait until it ends, or give another folder",
      folder));
}

void complete_lines(const std::string& path) {
  const std::string said = finish_append(path);
  if (!said.empty()) tell(said);
}

bench::Done recorded_visits(const std::string& folder, const machines::Machine& machine,
                            const machines::Host* host) {
  if (folder.empty() || !fs::exists(folder)) return {};
  const std::string description = description_of(machine, host);
  const auto recorded = recorded_machine(folder);
  if (host == nullptr && recorded && !same_machine(*recorded, described(description))) return {};
  const FolderLock lock(folder);
  return ok_visits(log_in(folder, description));
}

Recording::Recording(const std::string& folder, const machines::Machine& machine, const machines::Host& host)
    : lock_(made(folder)) {
  const std::string description = description_of(machine, &host);
  log_ = log_in(folder, description);
  write_whole(folder + "/machine.json", description);
  write_whole(folder + "/topology.xml", machine.topology_xml);
}

bench::Done Recording::done() const {
  return ok_visits(log_);
}

}  // namespace gable::cli
