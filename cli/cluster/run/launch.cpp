#include "cli/cluster/run/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/error.hpp"
#include "base/programs/program.hpp"
#include "machines/affinity.hpp"

namespace gable::cli {
namespace {

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

}  // namespace gable::cli
