#include "machines/trial.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/error.hpp"
#include "machines/topology.hpp"

namespace gable::machines {
namespace {

enum Result { loads = 0, refused = 1, far_numbers = 2 };

void limit(__rlimit_resource what, rlim_t most) {
  const rlimit limits = {most, most};
  setrlimit(what, &limits);
}

// One bit far beyond the others, as of a PU without os_index, makes hwloc write hundreds of megabytes of XML.
bool has_far_numbers(hwloc_topology_t topology) {
  const hwloc_bitmap_t usual = hwloc_bitmap_alloc();  // hwloc_bitmap_last overflows
  if (usual == nullptr || hwloc_bitmap_set_range(usual, 0, most_os_index) != 0) return true;
  return !hwloc_bitmap_isincluded(hwloc_topology_get_complete_cpuset(topology), usual) ||
         !hwloc_bitmap_isincluded(hwloc_topology_get_complete_nodeset(topology), usual);
}

// Prepares the child: a crash ends it silently, and the parent sees the signal. hwloc's assertions print.
void prepare_child() {
  if (std::getenv("HWLOC_XML_VERBOSE") == nullptr)
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGXCPU}) std::signal(fatal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_trial_seconds);
#ifndef GABLE_SANITIZER  // it reserves terabytes of addresses
  limit(RLIMIT_AS, most_trial_bytes);
#endif
}

// `text`: XML; null for this system.
[[noreturn]] void load_and_leave(const std::string* text) {
  prepare_child();
  const Topology topology = new_topology(text != nullptr ? Keep::everything : Keep::machine);
  if ((text != nullptr && hwloc_topology_set_xmlbuffer(topology.get(), text->c_str(),
                                                       static_cast<int>(text->size()) + 1) != 0) ||
      hwloc_topology_load(topology.get()) != 0)
    _exit(refused);
  if (has_far_numbers(topology.get())) _exit(far_numbers);
  hwloc_topology_check(topology.get());  // aborts where the tree contradicts itself
  _exit(loads);
}

// Status of the child as from waitpid(2).
int status_of_trial(const std::string* text) {
  const pid_t child = fork();
  if (child < 0) fail("cannot start a process for hwloc");
  if (child == 0) load_and_leave(text);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for a process");
  }
  return status;
}

// Describes a status other than `loads`.
std::string fault_of(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == far_numbers)
    return fmt::format("a CPU or memory node has a number above {}, or none", most_os_index);
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return fmt::format("hwloc does not finish reading it within {} s", most_trial_seconds);
  if (WIFSIGNALED(status)) return "hwloc crashes while it reads it";
  return {};
}

bool loaded(int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) == loads;
}

}  // namespace

std::string trial_fault(const std::string& text) {
  thread_local std::string passed;  // commands read a topology several times
  if (!text.empty() && text == passed) return {};
  const int status = status_of_trial(&text);
  if (loaded(status)) {
    passed = text;
    return {};
  }
  const std::string fault = fault_of(status);
  if (!fault.empty()) return fault;
  return fmt::format(
      "is XML, but not a topology that hwloc {} can use; HWLOC_XML_VERBOSE=1 makes hwloc say more",
      HWLOC_API_VERSION >> 16);
}

std::string system_trial_fault() {
  const int status = status_of_trial(nullptr);
  if (loaded(status)) return {};
  const std::string fault = fault_of(status);
  return fault.empty() ? "hwloc cannot read it; see what `lstopo` says, and the HWLOC_* environment variables"
                       : fault;
}

}  // namespace gable::machines
