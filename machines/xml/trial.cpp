#include "machines/xml/trial.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <hwloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

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

// In the child: a crash ends it silently, and the parent sees the signal. hwloc's assertions print.
[[noreturn]] void import_and_leave(const std::string& text) {
  if (std::getenv("HWLOC_XML_VERBOSE") == nullptr)
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGXCPU}) std::signal(fatal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_trial_seconds);
#ifndef GABLE_SANITIZER  // it reserves terabytes of addresses
  limit(RLIMIT_AS, most_trial_bytes);
#endif
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) _exit(refused);
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_set_xmlbuffer(topology, text.c_str(), static_cast<int>(text.size()) + 1) != 0 ||
      hwloc_topology_load(topology) != 0)
    _exit(refused);
  if (has_far_numbers(topology)) _exit(far_numbers);
  hwloc_topology_check(topology);  // aborts where the tree contradicts itself
  _exit(loads);
}

}  // namespace

std::string trial_fault(const std::string& text) {
  thread_local std::string passed;  // commands read a topology several times
  if (!text.empty() && text == passed) return {};
  const pid_t child = fork();
  if (child < 0)
    throw std::system_error(errno, std::generic_category(), "cannot start a process to read XML");
  if (child == 0) import_and_leave(text);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for a process");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == loads) {
    passed = text;
    return {};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == far_numbers)
    return fmt::format("a CPU or memory node has a number above {}, or none", most_os_index);
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return fmt::format("hwloc does not finish reading it within {} s", most_trial_seconds);
  if (WIFSIGNALED(status)) return "hwloc crashes while it reads it";
  return fmt::format(
      "is XML, but not a topology that hwloc {} can use; HWLOC_XML_VERBOSE=1 makes hwloc say more",
      HWLOC_API_VERSION >> 16);
}

}  // namespace gable::machines
