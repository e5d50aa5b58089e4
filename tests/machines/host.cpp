// The host read from invented /proc and /sys trees.

#include "machines/host.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using gable::machines::Host;
using gable::machines::this_host;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

class FakeHost : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    const fs::path file = folder_.path / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  Host read() const { return this_host(folder_.path); }

  // 16 GiB, of which 12 are available.
  void write_memory() const {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:   12582912 kB\n");
  }

  gable::TemporaryFolder folder_{"machines"};
};

TEST_F(FakeHost, OfAnEmptyTreeIsEmpty) {
  const Host host = read();
  EXPECT_EQ(host.cpu_model + host.kernel + host.hypervisor + host.container + host.governor + host.thp, "");
  EXPECT_EQ(host.memory_bytes, 0u);
  EXPECT_EQ(host.memory_limit_bytes, 0u);
  EXPECT_EQ(host.page_bytes.size(), 1u);
}

TEST_F(FakeHost, IsDescribed) {
  write_memory();
  write("proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Example CPU: 3 GHz\nmicrocode\t: 0x42\nflags\t\t: fpu sse2\n");
  write("proc/sys/kernel/hostname", "node7\n");
  write("proc/sys/kernel/osrelease", "6.1.0\n");
  write("etc/os-release", "NAME=Example\nPRETTY_NAME=\"Example Linux 1\"\n");
  write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  write("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
  write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n");
  write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
  write("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  write("sys/devices/system/cpu/online", "0-2,5,8-9\n");
  const Host host = read();
  EXPECT_EQ(host.name, "node7");
  EXPECT_EQ(host.cpu_model, "Example CPU: 3 GHz");
  EXPECT_EQ(host.microcode, "0x42");
  EXPECT_EQ(host.kernel, "6.1.0");
  EXPECT_EQ(host.os, "Example Linux 1");
  EXPECT_EQ(host.thp, "madvise");
  EXPECT_EQ(host.governor, "performance,powersave");
  EXPECT_EQ(host.cpus_online, 6);
  EXPECT_EQ(host.hypervisor, "");
  EXPECT_EQ(host.memory_bytes, 16 * gib);
  EXPECT_EQ(host.memory_available_bytes, 12 * gib);
  ASSERT_EQ(host.page_bytes.size(), 3u);
  EXPECT_EQ(host.page_bytes[1], 2u << 20);
  EXPECT_EQ(host.page_bytes[2], 1u << 30);
}

TEST_F(FakeHost, HasTheTightestLimitOfVersion2) {
  write_memory();
  write("proc/self/cgroup", "0::/job/step/task\n");
  write("proc/self/mountinfo", "30 20 0:25 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/job/memory.max", "4294967296\n");
  write("sys/fs/cgroup/job/memory.current", "3221225472\n");
  write("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 1073741824\n");
  write("sys/fs/cgroup/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/job/step/task/memory.max", "8589934592\n");
  const Host host = read();
  EXPECT_EQ(host.memory_limit_bytes, 4 * gib);
  EXPECT_EQ(host.memory_available_bytes, 2 * gib);
}

TEST_F(FakeHost, HasTheLimitOfVersion1) {
  write_memory();
  write("proc/self/cgroup", "5:cpuset:/\n4:memory,hugetlb:/docker/abc\n0::/\n");
  write("proc/self/mountinfo",
        "31 20 0:31 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 20 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
  const Host host = read();
  EXPECT_EQ(host.memory_limit_bytes, gib);
  EXPECT_EQ(host.memory_available_bytes, gib);
}

TEST_F(FakeHost, TakesNoLimitForOne) {
  write_memory();
  write("proc/self/cgroup", "4:memory:/\n");
  write("proc/self/mountinfo", "31 20 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(read().memory_limit_bytes, 0u);
  EXPECT_EQ(read().memory_available_bytes, 12 * gib);
}

// In a container a group's path may be outside of the mounted part.
TEST_F(FakeHost, StaysBelowTheMount) {
  write_memory();
  write("proc/self/cgroup", "0::/../../other\n");
  write("proc/self/mountinfo", "30 20 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/memory.max", "2147483648\n");
  EXPECT_EQ(read().memory_limit_bytes, 2 * gib);
}

// AArch64 shows its cores as numbers.
TEST_F(FakeHost, NamesTheCoresOfArm) {
  const std::string little = "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd03\n";
  write("proc/cpuinfo", little + "\n" + little + "\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n");
  EXPECT_EQ(read().cpu_model, "Cortex-A53 + Cortex-A72");
  write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x46\nCPU part\t: 0x001\n");
  EXPECT_EQ(read().cpu_model, "A64FX");
  write("proc/cpuinfo", "CPU implementer\t: 0x99\nCPU part\t: 0xabc\n");
  EXPECT_EQ(read().cpu_model, "implementer 0x99 part 0xabc");
}

TEST_F(FakeHost, NamesItsHypervisor) {
  write("proc/cpuinfo", "flags\t: fpu sse2\n");
  write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(read().hypervisor, "") << "the processor says there is none";
  write("proc/cpuinfo", "flags\t: fpu hypervisor sse2\n");
  EXPECT_EQ(read().hypervisor, "qemu");
  write("sys/class/dmi/id/sys_vendor", "A vendor nobody knows\n");
  EXPECT_EQ(read().hypervisor, "unknown");
  write("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(read().hypervisor, "xen");
}

TEST_F(FakeHost, NamesItsHypervisorByTheDeviceTreeWhereThereIsNoDmi) {
  write("proc/cpuinfo", "Features\t: fp asimd\n");
  write("sys/firmware/devicetree/base/compatible", "linux,dummy-virt\n");
  EXPECT_EQ(read().hypervisor, "");
  write("sys/firmware/devicetree/base/fw-cfg@9020000/compatible", "qemu,fw-cfg-mmio\n");
  EXPECT_EQ(read().hypervisor, "qemu");
  write("sys/firmware/devicetree/base/hypervisor/compatible", "linux,kvm\n");
  EXPECT_EQ(read().hypervisor, "kvm");
}

TEST_F(FakeHost, NamesItsContainer) {
  write("proc/self/cgroup", "0::/system.slice/docker-0123.scope\n");
  EXPECT_EQ(read().container, "docker");
  write("run/.containerenv", "");
  EXPECT_EQ(read().container, "podman");
  write("run/systemd/container", "lxc\n");
  EXPECT_EQ(read().container, "lxc");
}

TEST(ThisHost, ShowsWhatEverySystemHas) {
  const Host host = this_host();
  EXPECT_FALSE(host.kernel.empty());
  EXPECT_GT(host.memory_available_bytes.value_or(0), 0u);
  EXPECT_GE(host.cpus_online, 1);
  EXPECT_GE(host.page_bytes.at(0), 4096u);
}

}  // namespace
