// Checks every kernel that the CPU can run, without threads and signals, so that it runs on an emulated
// machine.
//
//   check_kernels "sse2 avx2"     the vector ISAs that the CPU must show; all their kernels, and the broken
//   ones check_kernels --run NAME      one kernel, whether the CPU can run it or not
//
// Exit status: 0 right, 1 a fault was found, 2 wrong usage.

#include <cstdio>
#include <cstring>

#include "tests/kernels/check.hpp"

namespace {

using namespace gable;

bool report(const kernels::Kernel& kernel, const std::vector<std::string>& faults) {
  for (const std::string& fault : faults) std::printf("%s: %s\n", kernel.name, fault.c_str());
  return faults.empty();
}

int run_one(const char* name) {
  for (const auto& table : {kernels::all(), tests::sabotaged()}) {
    for (const kernels::Kernel& kernel : table) {
      if (std::strcmp(kernel.name, name) == 0) return report(kernel, tests::faults(kernel)) ? 0 : 1;
    }
  }
  std::fprintf(stderr, "no kernel is named %s\n", name);
  return 2;
}

// Without signals, a kernel that leaves its streams would end this program: such are run with --run.
bool ends_the_program(const kernels::Kernel& broken) {
  return std::strcmp(broken.isa, "overreads") == 0 || std::strcmp(broken.isa, "underreads") == 0;
}

bool check_all() {
  int checked = 0, refused = 0;
  bool right = true;
  for (const kernels::Kernel& kernel : kernels::all()) {
    right &= report(kernel, tests::entry_faults(kernel));
    if (!kernels::runs(kernel)) {
      ++refused;
      continue;
    }
    ++checked;
    right &= report(kernel, tests::faults(kernel));
  }
  std::printf("%d kernels checked, %d refused\n", checked, refused);
  return right;
}

bool notices_broken_ones() {
  bool all_noticed = true;
  for (const kernels::Kernel& kernel : tests::sabotaged()) {
    if (!kernels::runs(kernel) || ends_the_program(kernel)) continue;
    const auto fault_is = [&](const char* name) { return std::strcmp(kernel.isa, name) == 0; };
    const bool sound =
        fault_is("nothing") || fault_is("whole") || fault_is("reads_whole") || fault_is("claims_flop");
    const bool noticed = !tests::faults(kernel).empty() || !tests::entry_faults(kernel).empty();
    if (noticed == sound) std::printf("%s: %s\n", kernel.name, sound ? "is sound" : "was not noticed");
    all_noticed &= noticed != sound;
  }
  return all_noticed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--run") == 0) return run_one(argv[2]);
  if (argc != 2) return 2;
  std::string isas;
  for (const std::string& isa : kernels::isas()) isas += (isas.empty() ? "" : " ") + isa;
  std::printf("vector ISAs: %s\n", isas.c_str());
  if (isas != argv[1]) {
    std::printf("expected: %s\n", argv[1]);
    return 1;
  }
  const bool right = check_all();
  return notices_broken_ones() && right ? 0 : 1;
}
