#include "kmaf/live/userfault.hpp"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "kmaf/live/clocks.hpp"
#include "kmaf/live/processes.hpp"

namespace gable::kmaf::live {

namespace {

constexpr std::uint64_t features =
    UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_THREAD_ID | UFFD_FEATURE_EXACT_ADDRESS;

}  // namespace

std::optional<Userfault> Userfault::open_here(int& error) {
  constexpr int flags = O_CLOEXEC | O_NONBLOCK;
  int fd = static_cast<int>(syscall(SYS_userfaultfd, flags));
  error = fd < 0 ? errno : 0;
  if (fd < 0) {
    const Descriptor device(open("/dev/userfaultfd", O_RDWR | O_CLOEXEC));
    if (device.get() >= 0) fd = ioctl(device.get(), USERFAULTFD_IOC_NEW, flags);
  }
  if (fd < 0) return {};
  error = 0;
  return Userfault(Descriptor(fd));
}

int Userfault::begin() {
  uffdio_api api = {UFFD_API, features, 0};
  if (ioctl(fd_.get(), UFFDIO_API, &api) != 0) return errno == EINVAL ? EOPNOTSUPP : errno;
  // Linux 5.18 could lose what a device writes to a page that was protected meanwhile; what 5.19 can tells
  // them apart.
  constexpr std::uint64_t present = features | UFFD_FEATURE_WP_HUGETLBFS_SHMEM;
  return (api.features & present) == present ? 0 : EOPNOTSUPP;
}

int Userfault::watch(std::uint64_t begin, std::uint64_t end) {
  uffdio_register range = {{begin, end - begin}, UFFDIO_REGISTER_MODE_WP, 0};
  return ioctl(fd_.get(), UFFDIO_REGISTER, &range) == 0 ? 0 : errno;
}

int Userfault::change(std::uint64_t begin, std::uint64_t end, std::uint64_t mode) {
  uffdio_writeprotect range = {{begin, end - begin}, mode};
  return ioctl(fd_.get(), UFFDIO_WRITEPROTECT, &range) == 0 ? 0 : errno;
}

int Userfault::protect(std::uint64_t begin, std::uint64_t end) {
  return change(begin, end, UFFDIO_WRITEPROTECT_MODE_WP);
}

int Userfault::release(std::uint64_t begin, std::uint64_t end) {
  return change(begin, end, 0);
}

int Userfault::wake(std::uint64_t begin, std::uint64_t end) {
  uffdio_range range = {begin, end - begin};
  return ioctl(fd_.get(), UFFDIO_WAKE, &range) == 0 ? 0 : errno;
}

std::optional<Userfault::Fault> Userfault::read() {
  uffd_msg message = {};
  while (::read(fd_.get(), &message, sizeof message) == sizeof message) {
    if (message.event != UFFD_EVENT_PAGEFAULT) continue;
    return Fault{message.arg.pagefault.address, static_cast<pid_t>(message.arg.pagefault.feat.ptid)};
  }
  return {};
}

namespace {

constexpr std::size_t trial_pages = 16, trial_rounds = 16;

// Releases what this process writes, until `done`.
void serve(Userfault& faults, std::uint64_t page_bytes, const std::atomic<bool>& done,
           std::vector<Userfault::Fault>& seen) {
  while (!done) {
    pollfd descriptor = {faults.descriptor(), POLLIN, 0};
    poll(&descriptor, 1, 10);
    while (const auto fault = faults.read()) {
      processor_of(getpid(), fault->tid);  // as whoever serves does meanwhile
      const std::uint64_t page = fault->address - fault->address % page_bytes;
      faults.release(page, page + page_bytes);
      seen.push_back(*fault);
    }
  }
}

// Seconds of each write, its page's protection included.
std::vector<double> write_all(Userfault& faults, std::byte* memory, std::uint64_t page_bytes) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < trial_pages * trial_rounds; ++i) {
    auto* const at = reinterpret_cast<volatile unsigned char*>(memory) + i % trial_pages * page_bytes + i;
    const std::uint64_t page = reinterpret_cast<std::uint64_t>(memory) + i % trial_pages * page_bytes;
    const double before = monotonic_seconds();
    if (faults.protect(page, page + page_bytes) != 0) break;
    *at = 1;
    seconds.push_back(monotonic_seconds() - before);
  }
  return seconds;
}

}  // namespace

UserfaultTrial try_userfault() {
  UserfaultTrial trial;
  auto faults = Userfault::open_here(trial.error);
  if (faults) trial.error = faults->begin();
  if (trial.error != 0) return trial;
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = trial_pages * page_bytes;
  void* const address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (address == MAP_FAILED) return {errno, false, 0};
  const Mapped memory({static_cast<std::byte*>(address), bytes});
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  trial.error = faults->watch(begin, begin + bytes);
  if (trial.error != 0) return trial;
  std::atomic<bool> done = false;
  std::vector<Userfault::Fault> seen;
  std::thread server([&] { serve(*faults, page_bytes, done, seen); });
  std::vector<double> seconds = write_all(*faults, memory.get().data(), page_bytes);
  done = true;
  server.join();
  trial.right = seen.size() == seconds.size() && seconds.size() == trial_pages * trial_rounds;
  for (std::size_t i = 0; trial.right && i < seen.size(); ++i)
    trial.right = seen[i].tid == gettid() && seen[i].address == begin + i % trial_pages * page_bytes + i;
  if (seconds.empty()) return trial;
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  trial.seconds = *middle;
  return trial;
}

}  // namespace gable::kmaf::live
