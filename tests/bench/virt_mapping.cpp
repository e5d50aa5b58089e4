// Walks visit every line once, every cost of mapping is there, and the environment is read.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "bench/virt/environment.hpp"
#include "bench/virt/mapping.hpp"
#include "bench/virt/pages.hpp"
#include "bench/virt/walk.hpp"
#include "model/domain/virt_measure.hpp"

namespace {

using namespace gable::bench;

TEST(VirtWalk, VisitsEveryLineOnce) {
  for (const Lines lines : {Lines::spread, Lines::packed}) {
    for (const std::uint64_t bytes : {1u << 20, 3u << 19}) {
      Pages memory(gable::model::VirtPages::small, bytes);
      const Walk walk(memory.data(), bytes, lines);
      ASSERT_EQ(walk.lines(), bytes / 4096);
      // The first line is that of block 0: follow it by hand.
      std::byte* first = memory.data();
      while (*reinterpret_cast<void**>(first) == nullptr) first += 64;
      std::set<void*> seen;
      std::set<std::uintptr_t> blocks;
      void* at = first;
      do {
        seen.insert(at);
        blocks.insert(reinterpret_cast<std::uintptr_t>(at) / (lines == Lines::spread ? 4096 : 128));
        at = *static_cast<void**>(at);
      } while (at != first && seen.size() <= walk.lines());
      EXPECT_EQ(seen.size(), walk.lines());
      EXPECT_EQ(blocks.size(), walk.lines());
    }
  }
  EXPECT_THROW(Pages(gable::model::VirtPages::giant, std::size_t{1} << 44), gable::Error);
}

TEST(VirtMapping, EveryCostIsThere) {
  for (const gable::model::VirtMeasure& measure : gable::model::virt_measures) {
    if (measure.kind != gable::model::VirtKind::map) continue;
    const std::string_view what = measure.what;
    const MappingCost cost = mapping_cost(what, gable::model::VirtPages::small, 1 << 20, 2);
    ASSERT_EQ(cost.seconds.size(), 2u) << what;
    EXPECT_GT(cost.seconds.front(), 0) << what;
    EXPECT_GE(cost.calls.front(), 1) << what;
  }
}

// A child that outlives its errand would go on with the caller's work.
TEST(VirtMapping, NoChildReturns) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t caller = fork();
  if (caller == 0) {
    try {
      mapping_cost("fork", gable::model::VirtPages::small, 1 << 20, 2);
      mapping_cost("context switch", gable::model::VirtPages::small, 1 << 20, 2);
    } catch (...) {
    }
    _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
  }
  close(ends[1]);
  char came[8];
  ssize_t total = 0;
  for (ssize_t count = 1; count > 0; total += count) count = read(ends[0], came, sizeof came);
  close(ends[0]);
  int status = -1;
  waitpid(caller, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(total, 1) << "one process came back";
}

TEST(VirtEnvironment, ReadsWhatTheSystemTells) {
  const gable::TemporaryFolder folder("virt-environment");
  const std::filesystem::path& root = folder.path;
  std::filesystem::create_directories(root / "proc");
  std::filesystem::create_directories(root / "sys/bus/virtio/drivers/virtio_balloon");
  std::ofstream(root / "proc/stat") << "cpu  50 0 20 20 0 0 0 10 0 0\n";
  std::ofstream(root / "proc/vmstat") << "nr_free_pages 5\nballoon_inflate 300\nballoon_deflate 44\n";
  gable::machines::Host host;
  host.hypervisor = "kvm";
  host.page_bytes = {4096, 2 << 20};
  auto facts = environment_facts(host, root);
  EXPECT_EQ(facts["hypervisor"], "kvm");
  EXPECT_EQ(facts["balloon"], "virtio_balloon, holds 1 MiB");
  EXPECT_EQ(facts["steal"], "10.00 % since boot");
  EXPECT_EQ(facts["guest pages"], "4 KiB, 2 MiB");
  EXPECT_EQ(hypervisor_of(host), gable::model::Hypervisor::virtualizes);
  host.hypervisor = "";
  EXPECT_EQ(hypervisor_of(host), gable::model::Hypervisor::none);
  EXPECT_EQ(environment_facts(host, root)["hypervisor"], "none seen");
}

}  // namespace
