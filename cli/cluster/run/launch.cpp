#include "cli/cluster/run/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <numeric>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/programs/program.hpp"
#include "base/temporary_folder.hpp"
#include "cli/cluster/node_facts.hpp"
#include "cli/cluster/run/node_records.hpp"
#include "cli/interrupt.hpp"
#include "kernels/kernel.hpp"
#include "machines/affinity.hpp"
#include "machines/host.hpp"
#include "machines/json.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;

struct Variables {
  const char *launcher, *rank, *size, *local_rank, *local_size, *id;
};

// Open MPI and others come before srun, for they may have been started by it and show its variables too.
constexpr Variables launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"},
    {"MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE", ""},
    {"Hydra", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", ""},
    {"PALS", "PALS_RANKID", "PALS_SIZE", "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE", "PALS_APID"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", "", "FLUX_JOB_ID"},
};

std::string variable(const char* name) {
  const char* const value = *name == '\0' ? nullptr : std::getenv(name);
  return value == nullptr ? "" : value;
}

int whole_number(const char* name, int otherwise) {
  const std::string text = variable(name);
  return text.empty() ? otherwise : std::atoi(text.c_str());
}

// Batch scripts and interactive shells are steps with huge numbers, or none.
bool is_in_step() {
  constexpr long most = 1L << 30;
  const std::string step = variable("SLURM_STEP_ID");
  return !step.empty() && std::atol(step.c_str()) < most && !variable("SLURM_PROCID").empty();
}

// The same for all nodes of a group.
std::size_t own_group() {
  const machines::Host host = machines::this_host();
  const TemporaryFolder described("gable-node");
  write_whole(described.path / "machine.json",
              machines::machine_json(machines::this_machine(), &host, kernels::isas(),
                                     {{"version", GABLE_VERSION}, {"compiler", GABLE_COMPILER}}));
  model::NodeRecord record;
  add_machine(record, described.path);
  const HardwareGroup group = hardware_group(record);
  return std::hash<std::string>()(fmt::format("{} {}", group.hardware, group.memory));
}

// Creates the file with the text; false where it is there already.
bool created(const fs::path& path, const std::string& text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file && errno == EEXIST) return false;
  if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail(path);
  return true;
}

// Whether the node that has the slot will never use it.
bool is_given_up(const std::string& folder, const std::string& owner) {
  const auto record = owner.empty() ? std::nullopt : recorded_node(folder, owner);
  if (!record) return false;
  const bool late = record->status == model::NodeStatus::measuring && record->deadline < seconds_now();
  return late ||
         (record->status != model::NodeStatus::measuring && record->status != model::NodeStatus::complete &&
          record->status != model::NodeStatus::partial);
}

}  // namespace

std::optional<Launch> this_launch() {
  for (const Variables& each : launchers) {
    if (variable(each.rank).empty() || variable(each.size).empty()) continue;
    return Launch{each.launcher,
                  variable(each.id),
                  whole_number(each.rank, 0),
                  whole_number(each.size, 1),
                  whole_number(each.local_rank, 0),
                  whole_number(each.local_size, 1)};
  }
  if (!is_in_step()) return std::nullopt;
  Launch launch{"srun",
                fmt::format("{}.{}", variable("SLURM_JOB_ID"), variable("SLURM_STEP_ID")),
                whole_number("SLURM_PROCID", 0),
                whole_number("SLURM_NTASKS", 1),
                whole_number("SLURM_LOCALID", 0),
                1};
  launch.local_size = std::max(1, launch.size / whole_number("SLURM_NNODES", 1));
  return launch;
}

void leave_binding(const Launch& launch) {
  if (launch.launcher == "srun") return;
  std::vector<unsigned> all(static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))));
  std::iota(all.begin(), all.end(), 0U);
  machines::set_affinity(0, all);  // the kernel leaves out what the job's cgroup forbids
}

std::string node_name() {
  if (const std::string name = variable("SLURMD_NODENAME"); !name.empty()) return name;
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  const std::string text = name;
  return text.substr(0, text.find('.'));
}

std::vector<std::string> allocated_nodes() {
  const std::string list = variable("SLURM_JOB_NODELIST");
  if (variable("SLURM_JOB_ID").empty() || list.empty()) return {};
  Captured hosts = output_of({"scontrol", "show", "hostnames", list});
  if (hosts.status != 0) throw Error::failed("scontrol show hostnames: " + hosts.errors);
  return take_lines(hosts.output, true);
}

std::string lock_path(const std::string& local) {
  return fmt::format("{}/gable-cluster-{}-{}.lock", local, getuid(), node_name());
}

NodeLock::NodeLock(const std::string& path, const std::string& owner)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644), path) {
  if (flock(file_.get(), LOCK_EX | LOCK_NB) == 0) {
    if (ftruncate(file_.get(), 0) == 0) dprintf(file_.get(), "%s\n", owner.c_str());
    return;
  }
  try {
    other_ = read_whole(path);
  } catch (const std::exception&) {
  }
  other_ = other_.empty() ? "?" : other_.substr(0, other_.find('\n'));
}

void wait_for_lock(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return;
  while (flock(file.get(), LOCK_SH) != 0 && errno == EINTR && !stop_requested()) {
  }
}

bool has_sample_slot(const std::string& folder, const std::string& node, int most) {
  const fs::path slots = fs::path(folder) / ".sample";
  fs::create_directories(slots);
  const std::size_t group = own_group();
  for (int i = 0; i < most; ++i) {
    const fs::path slot = slots / fmt::format("{:016x}-{}", group, i);
    if (created(slot, node)) return true;
    const std::string owner = read_whole(slot);
    if (owner == node) return true;
    if (!is_given_up(folder, owner)) continue;
    std::error_code ignored;
    if (fs::remove(slot, ignored) && created(slot, node)) return true;
  }
  return false;
}

}  // namespace gable::cli
