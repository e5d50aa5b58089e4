#pragma once

// A record of three threads of this program, and events of them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kmaf/live/policies/known_threads.hpp"
#include "machines.hpp"
#include "played_kernel.hpp"

namespace gable::kmaf::live {

inline Event started(pid_t pid, pid_t tid, pid_t parent, double seconds = 0) {
  return {Event::Kind::started, pid, tid, parent, parent, 0, 0, seconds};
}
inline Event ended(pid_t pid, pid_t tid) {
  return {Event::Kind::ended, pid, tid, 0, 0, 0, 0, 0};
}
inline Event replaced(pid_t pid, double seconds = 0) {
  return {Event::Kind::replaced, pid, pid, 0, 0, 0, 0, seconds};
}

inline const pid_t self = getpid();
inline std::string own_image() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

class Known : public testing::Test {
 protected:
  Known() : journal_(Journal::unnamed()), binder_(kernel_, journal_, all_), names_(self) {
    for (const pid_t tid : {self, 500, 501, 502}) kernel_.masks[tid] = all_;
    knowledge_.programs = {{"0+1", own_image()}};
    knowledge_.tasks = {{0, 0, 9}, {0, 1, 9}, {0, 2, 9}};
    knowledge_.tasks_at_once = 3;
  }
  void follow(KnownThreads& threads, const Event& event) {
    if (event.kind != Event::Kind::ended) names_.follow(event);
    threads.follow(event, names_);
    if (event.kind == Event::Kind::ended) names_.follow(event);
  }
  unsigned pu(pid_t tid) { return kernel_.masks[tid].size() == 1 ? kernel_.masks[tid][0] : 99; }

  const std::vector<unsigned> all_ = {0, 1, 2, 3};
  const Hierarchy hierarchy_ = hierarchy_of(test::small());
  const Mapping leaves_ = {3, 0, 2};
  Knowledge knowledge_;
  PlayedKernel kernel_;
  Journal journal_;
  Binder binder_;
  Names names_;
};

}  // namespace gable::kmaf::live
