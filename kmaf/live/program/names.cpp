#include "kmaf/live/program/names.hpp"

#include <filesystem>
#include <system_error>

namespace gable::kmaf::live {

Names::Names(pid_t program) {
  begin(program, Process("0"));
}

void Names::begin(pid_t pid, Process process) {
  if (!counts_) process.path.clear();
  processes_[pid] = std::move(process);
  tasks_[pid] = {pid, 0, next_instance_++};
}

void Names::follow(const Event& event) {
  const auto process = processes_.find(event.pid);
  switch (event.kind) {
    case Event::Kind::started:
      if (event.tid == event.pid) {
        const auto parent = processes_.find(event.parent_pid);
        if (parent == processes_.end()) break;
        begin(event.pid, Process(parent->second.path + "." + std::to_string(++parent->second.children)));
      } else if (process != processes_.end()) {
        tasks_[event.tid] = {event.pid, ++process->second.threads, next_instance_++};
      }
      break;
    case Event::Kind::replaced:
      if (process == processes_.end()) break;
      ++process->second.executed;
      process->second.threads = 0;
      process->second.image.clear();
      if (!counts_) process->second.path.clear();
      tasks_[event.pid] = {event.pid, 0, next_instance_++};
      break;
    case Event::Kind::ended:
      tasks_.erase(event.tid);
      if (event.tid == event.pid) processes_.erase(event.pid);
      break;
    case Event::Kind::access:
      break;
  }
}

std::optional<Names::Task> Names::task(pid_t tid) const {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end()) return {};
  return found->second;
}

std::uint64_t Names::instance(pid_t pid) const {
  const auto found = tasks_.find(pid);
  return found == tasks_.end() ? 0 : found->second.instance;
}

std::optional<KnownProgram> Names::program(pid_t pid) {
  const auto found = processes_.find(pid);
  if (found == processes_.end() || found->second.path.empty()) return {};
  Process& process = found->second;
  if (process.image.empty()) {
    std::error_code error;
    process.image = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error);
    if (process.image.empty()) return {};
  }
  const std::string executed = process.executed > 0 ? "+" + std::to_string(process.executed) : "";
  return KnownProgram{process.path + executed, process.image};
}

}  // namespace gable::kmaf::live
