#include "bench/threads/team.hpp"

#include <fmt/core.h>
#include <pthread.h>
#include <sched.h>

#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace gable::bench {

struct Team::Worker {
  // A CPU set of any size: machines have more than CPU_SETSIZE hardware threads.
  class CpuSet {
   public:
    explicit CpuSet(unsigned cpu) : bytes_(CPU_ALLOC_SIZE(cpu + 1)), set_(CPU_ALLOC(cpu + 1)) {
      CPU_ZERO_S(bytes_, set_);
      CPU_SET_S(cpu, bytes_, set_);
    }
    ~CpuSet() { CPU_FREE(set_); }
    CpuSet(const CpuSet&) = delete;
    CpuSet& operator=(const CpuSet&) = delete;

    int pin(pthread_t thread) const { return pthread_setaffinity_np(thread, bytes_, set_); }

   private:
    std::size_t bytes_;
    cpu_set_t* set_;
  };

  explicit Worker(unsigned cpu) : cpu_set(cpu), thread([this] { loop(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
      changed.notify_all();
    }
    thread.join();
  }

  // The error number, or 0.
  int pin() { return cpu_set.pin(thread.native_handle()); }

  void start(std::function<void()> next) {
    const std::lock_guard lock(mutex);
    job = std::move(next);
    changed.notify_all();
  }

  // Waits for the started job; returns its exception.
  std::exception_ptr wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !job; });
    return std::exchange(error, nullptr);
  }

 private:
  void loop() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return ending || job; });
      if (!job) return;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        job();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      error = thrown;
      job = nullptr;
      changed.notify_all();
    }
  }

  CpuSet cpu_set;
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> job;
  std::exception_ptr error;
  bool ending = false;
  std::thread thread;
};

Team::Team() = default;
Team::~Team() = default;

Team::Worker& Team::worker(unsigned cpu) {
  auto& slot = workers_[cpu];
  try {
    if (!slot) slot = std::make_unique<Worker>(cpu);
  } catch (const std::system_error& error) {
    throw Error::unavailable(fmt::format("cannot start a thread for CPU {}: {}", cpu, error.what()));
  }
  return *slot;
}

void Team::run(const std::vector<unsigned>& cpus, const std::function<void(std::size_t)>& job) {
  // Threads are pinned at every start, because a changed cpuset or a CPU that goes offline moves them
  // elsewhere.
  for (const unsigned cpu : cpus) {
    if (const int error = worker(cpu).pin(); error != 0)
      throw Error::unavailable(fmt::format("cannot run on CPU {}: {}", cpu, std::strerror(error)));
  }
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    worker(cpus[i]).start([&job, i] { job(i); });
  }
  std::exception_ptr first;
  for (const unsigned cpu : cpus) {
    if (auto error = worker(cpu).wait(); error && !first) first = error;
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace gable::bench
