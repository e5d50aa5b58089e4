#include "cli/recording.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "kernels/kernel.hpp"
#include "machines/json.hpp"
#include "model/fields.hpp"
#include "model/format.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What two recordings must share to be of one machine. A kernel update or another memory limit does not make
// it another one.
json identity(const json& machine) {
  json same;
  for (const char* field : {"cpu_model", "clusters", "caches"}) same[field] = machine.value(field, json());
  for (const json& node : machine.value("nodes", json::array())) {
    same["nodes"].push_back(
        {{"os_index", node.value("os_index", json())}, {"tier", node.value("tier", json())}});
  }
  return same;
}

bool same_machine(const json& recorded, const json& here) {
  try {
    return identity(recorded) == identity(here);
  } catch (const json::type_error&) {  // not even a description of a machine
    return false;
  }
}

int lock_folder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw UsageError(fmt::format("{}: {}", folder, std::strerror(errno)));
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (errno == ENOLCK || errno == EOPNOTSUPP) return descriptor;  // a file system without locks
  close(descriptor);
  throw UsageError(fmt::format(
      "{}: another 'gable measure' is at work in this folder; wait for it, or give another one", folder));
}

std::string failure(const model::Sample& sample) {
  return fmt::format("{} {} {} {}", model::key(sample.asked), sample.round, static_cast<int>(sample.status),
                     sample.reason);
}

}  // namespace

void require_same_machine(const std::string& folder, const std::string& description) {
  if (same_machine(machine_json_of(folder).value(), json::parse(description))) return;
  throw UsageError(
      fmt::format("{}: was measured on another machine, or in another cpuset; give another folder", folder));
}

Recording::Recording(const std::string& folder, const machines::Machine& machine, const machines::Host& host)
    : samples_path_(folder + "/samples.jsonl") {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UsageError(fmt::format("{}: {}", folder, error.message()));
  lock_ = lock_folder(folder);
  try {
    const std::string description = machines::machine_json(
        machine, &host, kernels::isas(), {{"version", GABLE_VERSION}, {"compiler", GABLE_COMPILER}});
    const std::string path = folder + "/machine.json";
    if (fs::exists(path)) {
      require_same_machine(folder, description);
      model::finish_append(samples_path_);
      samples_ = model::read_samples(samples_path_);
    } else if (fs::exists(samples_path_)) {
      throw UsageError(fmt::format("{}: samples.jsonl without machine.json; give another folder", folder));
    }
    model::write_whole(path, description);
    model::write_whole(folder + "/topology.xml", machine.topology_xml);
  } catch (...) {
    close(lock_);
    throw;
  }
  for (const model::Sample& sample : samples_) {
    if (sample.status != model::Status::ok) failures_.insert(failure(sample));
  }
}

Recording::~Recording() {
  close(lock_);
}

bench::Done Recording::done() const {
  bench::Done done;
  for (const model::Sample& sample : samples_) {
    if (sample.status == model::Status::ok) done.insert({model::key(sample.asked), sample.round});
  }
  return done;
}

void Recording::record(const model::Sample& sample) {
  if (sample.status != model::Status::ok && !failures_.insert(failure(sample)).second) return;
  model::append_line(samples_path_, model::to_line(sample));
}

}  // namespace gable::cli
