#include "kmaf/replay/jobs.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gable::kmaf {

void do_all(std::size_t tasks, int jobs, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < tasks; i = next++) task(i);
    } catch (...) {
      const std::lock_guard lock(guard);
      failed = std::current_exception();
      next = tasks;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace gable::kmaf
