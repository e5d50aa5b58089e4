#include "points/counters/environment.hpp"

#include <link.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/programs/program.hpp"

namespace gable::points {
namespace {

constexpr const char* never = "0x7fffffffffffffff";  // a size from which on string instructions are used

// The dynamic loader of this program; empty if it is static.
std::string own_loader() {
  std::string loader;
  const auto take = [](dl_phdr_info* object, std::size_t, void* found) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& header = object->dlpi_phdr[i];
      if (header.p_type == PT_INTERP)
        *static_cast<std::string*>(found) =
            reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr);  // NOLINT
    }
    return 1;  // the first object is the program
  };
  dl_iterate_phdr(take, &loader);
  return loader;
}

struct Tunable {
  std::string name, value;  // "glibc.cpu.x86_non_temporal_threshold", "0xc0000"
};

// Those that the library has chosen on this machine.
std::vector<Tunable> sizes_here() {
  const std::string loader = own_loader();
  if (loader.empty()) return {};
  const Captured listed = output_of({loader, "--list-tunables"});  // "NAME: VALUE (min: LEAST, max: MOST)"
  std::vector<Tunable> sizes;
  std::istringstream lines(listed.status == 0 ? listed.output : "");
  for (std::string name, value, rest; lines >> name >> value && std::getline(lines, rest);) {
    if (name.starts_with("glibc.cpu.x86_") && value.starts_with("0x"))
      sizes.push_back({name.substr(0, name.size() - 1), value});
  }
  return sizes;
}

// Those of the user, these unless the user has set them, and the sizes.
std::vector<std::string> tunables(const std::vector<Tunable>& more) {
  static const std::vector<Tunable> sizes = sizes_here();
  if (sizes.empty()) return {};
  const char* const set = getenv("GLIBC_TUNABLES");
  std::string all = set == nullptr ? "" : set;
  const auto add = [&](const std::string& name, const std::string& value) {
    all += (all.empty() ? "" : ":") + name + "=" + value;
  };
  for (const auto& [name, value] : more) {
    if (all.find(name) == std::string::npos) add(name, value);
  }
  for (const auto& [name, value] : sizes) add(name, name.find("_rep_") == std::string::npos ? value : never);
  return {"GLIBC_TUNABLES=" + all};
}

// Valgrind runs one thread at a time. OpenMP threads that spin while they wait would take the turns of those
// that work, and their loads would count.
bool may_spin() {
  const auto is_chosen = [](const char* name) { return getenv(name) != nullptr; };
  return std::ranges::none_of(std::array{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}, is_chosen);
}

}  // namespace

std::vector<std::string> sampling_environment() {
  return tunables({{"glibc.cpu.hwcaps", "-AVX512F,-AVX512VL"}});
}

std::vector<std::string> counting_environment() {
  std::vector<std::string> environment = tunables({});
  if (may_spin()) environment.emplace_back("OMP_WAIT_POLICY=passive");
  return environment;
}

}  // namespace gable::points
