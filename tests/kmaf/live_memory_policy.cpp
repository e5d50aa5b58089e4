// The memory policies of mappings and threads, from numa_maps.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "kmaf/live/program/memory_policy.hpp"

namespace gable::kmaf::live {
namespace {

constexpr int mode_default = 0, mode_preferred = 1, mode_bind = 2, mode_interleave = 3;

// "anon" is a figure that follows the policy.
MemoryPolicy policy_of_line(const std::string& policy) {
  const auto mappings = parse_policies("7f00 " + policy + " anon=3 N0=3 kernelpagesize_kB=4\n");
  if (mappings.size() != 1) return {true, {12345}};
  EXPECT_EQ(mappings[0].begin, 0x7f00u);
  return mappings[0].policy;
}

TEST(MemoryPolicies, OfEveryKind) {
  EXPECT_EQ(policy_of_line("default"), MemoryPolicy());
  const std::vector<const char*> binding = {"bind:1",
                                            "bind:0-3",
                                            "bind=static:1",
                                            "prefer:0",
                                            "prefer (many):0-1",
                                            "interleave:0-1",
                                            "weighted interleave:0-1",
                                            "local"};
  for (const char* const text : binding) EXPECT_EQ(policy_of_line(text), (MemoryPolicy{true, {}})) << text;
  EXPECT_EQ(policy_of_line("bind=balancing:0-1,3"), (MemoryPolicy{true, {0, 1, 3}}));
  EXPECT_EQ(policy_of_line("bind=balancing|static:2"), (MemoryPolicy{true, {2}}));
}

TEST(MemoryPolicies, LetPagesMoveWhereTheKernelsBalancingMayTakeThem) {
  EXPECT_TRUE(MemoryPolicy().lets(5));
  EXPECT_FALSE((MemoryPolicy{true, {}}).lets(0));
  EXPECT_TRUE((MemoryPolicy{true, {0, 2}}).lets(2));
  EXPECT_FALSE((MemoryPolicy{true, {0, 2}}).lets(1));
}

TEST(MemoryPolicies, OfSeveralMappings) {
  const auto mappings = parse_policies("1000 default file=/a\\040b mapped=1\n\nnonsense\n2000 bind:1\n3000");
  ASSERT_EQ(mappings.size(), 2u);
  EXPECT_EQ(mappings[1].begin, 0x2000u);
  EXPECT_TRUE(mappings[1].policy.binds);
}

const MemoryPolicy* at(const std::vector<MappingPolicy>& mappings, const void* address) {
  const MemoryPolicy* found = nullptr;
  for (const MappingPolicy& mapping : mappings) {
    if (mapping.begin <= reinterpret_cast<std::uint64_t>(address)) found = &mapping.policy;
  }
  return found;
}

TEST(MemoryPolicies, OfThisProcess) {
  if (!std::filesystem::exists("/proc/self/numa_maps")) GTEST_SKIP() << "/proc shows no numa_maps here";
  constexpr std::size_t bytes = 4096;
  auto* const memory = static_cast<char*>(
      mmap(nullptr, 3 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const unsigned long node = 1;
  if (syscall(SYS_mbind, memory + bytes, bytes, mode_bind, &node, 64, 0) != 0)
    GTEST_SKIP() << "mbind is not allowed here";
  const auto mappings = policies_of(getpid());
  for (const int page : {0, 1, 2}) {
    const MemoryPolicy* const policy = at(mappings, memory + static_cast<std::size_t>(page) * bytes);
    ASSERT_NE(policy, nullptr);
    EXPECT_EQ(policy->binds, page == 1) << page;
  }
  munmap(memory, 3 * bytes);
  EXPECT_EQ(policy_of_thread(getpid(), getpid()), MemoryPolicy());
  std::thread([&] {
    EXPECT_EQ(syscall(SYS_set_mempolicy, mode_preferred, &node, 64), 0);
    const auto tid = static_cast<pid_t>(syscall(SYS_gettid));
    EXPECT_EQ(policy_of_thread(getpid(), tid), (MemoryPolicy{true, {}}));
    EXPECT_EQ(policy_of_thread(getpid(), getpid()), MemoryPolicy());
    EXPECT_EQ(syscall(SYS_set_mempolicy, mode_interleave, &node, 64), 0);
    EXPECT_EQ(policy_of_thread(getpid(), tid), (MemoryPolicy{true, {}}));
    EXPECT_EQ(syscall(SYS_set_mempolicy, mode_default, nullptr, 0), 0);
    EXPECT_EQ(policy_of_thread(getpid(), tid), MemoryPolicy());
  }).join();
  EXPECT_FALSE(policy_of_thread(getpid(), 1 << 30));
  EXPECT_TRUE(policies_of(1 << 30).empty());
}

}  // namespace
}  // namespace gable::kmaf::live
