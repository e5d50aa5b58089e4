#include "cli/cluster/run/coordinate.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/programs/program.hpp"
#include "base/temporary_folder.hpp"
#include "base/words.hpp"
#include "cli/cluster/run/delivery.hpp"
#include "cli/cluster/run/monitor.hpp"
#include "cli/cluster/run/node_records.hpp"
#include "cli/interrupt.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;
using model::NodeStatus;

constexpr double until_killed = 20;  // seconds for a launcher to end after SIGTERM

// Whether the line has the name as a whole word.
bool names(const std::string& line, const std::string& node) {
  const auto is_part = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '-';
  };
  for (std::size_t at = line.find(node); at != std::string::npos; at = line.find(node, at + 1)) {
    const std::size_t end = at + node.size();
    if ((at == 0 || !is_part(line[at - 1])) && (end == line.size() || !is_part(line[end]))) return true;
  }
  return false;
}

// What Slurm says of a node that is not as it should be; empty otherwise, and without Slurm.
std::string slurm_says(const std::string& node) {
  if (std::getenv("SLURM_JOB_ID") == nullptr) return {};
  Captured state = output_of({"sinfo", "-h", "-N", "-n", node, "-o", "%T: %E"});
  if (state.status != 0 || state.output.empty()) return {};
  const std::string line = take_lines(state.output, true).front();
  for (const char* bad : {"down", "fail", "unknown", "*"})
    if (line.substr(0, line.find(':')).find(bad) != std::string::npos) return "Slurm calls it " + line;
  return {};
}

class Coordinator {
 public:
  explicit Coordinator(const Coordination& coordination)
      : coordination_(coordination),
        monitor_(coordination.folder, coordination.nodes, static_cast<int>(coordination.nodes.size()),
                 coordination.options, coordination.quiet) {}

  int run() {
    RunningProgram child({.command = coordination_.command, .outputs = Outputs::apart});
    const double limit = seconds_now() + coordination_.deadline + grace_after(coordination_.deadline);
    std::optional<double> stopped;
    bool late = false;
    while (child.wait(0.5)) {
      hear(child, false);
      monitor_.look();
      const double now = seconds_now();
      late = late || now > limit;
      if (!stopped && (stop_requested() || late)) {
        child.send(SIGTERM, false);
        said_before_ = errors_.size();
        stopped = now;
      }
      if (stopped && now > *stopped + until_killed) child.send(SIGKILL);
    }
    hear(child, true);
    const int status = child.finish().status;
    if (status == 127) throw Error::failed(errors_.empty() ? coordination_.command.front() : errors_.back());
    for (const auto& [node, reason] : undelivered_)
      monitor_.give_up(node, NodeStatus::failed, model::Note(reason));
    for (const std::string& node : monitor_.open_nodes()) name_reason(node, late);
    const int missing = monitor_.finish(coordination_.call);
    const bool failed =
        coordination_.nodes.empty() && (status != 0 || !(monitor_.any() || coordination_.complete));
    if (failed) tell_errors();
    if (stop_requested()) throw Error::interrupted("interrupted: finished nodes are kept");
    if (failed && !monitor_.any()) throw Error::failed("the launcher ended before any node had a result");
    return failed ? std::max(missing, 1) : missing;
  }

 private:
  void hear(RunningProgram& child, bool all) {
    const auto take = [this](const std::string& line) {
      return gathered_.take(line, [this](const std::string& node, const auto& files) { keep(node, files); });
    };
    for (const std::string& line : take_lines(child.out, all)) take(line);
    for (std::string& line : take_lines(child.err, all))
      if (!take(line)) errors_.push_back(std::move(line));
  }

  // The files of a node that came through the launcher.
  void keep(const std::string& node, const std::map<std::string, std::string>& files) {
    if (node.empty() || node.front() == '.' || node.find('/') != std::string::npos) return;
    undelivered_.erase(node);
    try {
      if (!files.contains("node.json")) throw Error::failed("its results arrived damaged");
      const fs::path target = fs::path(coordination_.folder) / node;
      if (files.size() == 1) {
        const model::NodeRecord record = model::node_record_from_json(files.at("node.json"), node);
        if (record.status != NodeStatus::measuring) endings_[node] = record;
        if (stays(recorded_node(coordination_.folder, node), record)) return;
        fs::create_directories(target);
        write_whole(target / "node.json", files.at("node.json"));
        return;
      }
      const TemporaryFolder whole(coordination_.folder, ".gathered-");
      const fs::path from = whole.path / "files";
      fs::create_directory(from);
      for (const auto& [name, text] : files)
        if (name.find('/') == std::string::npos) write_whole(from / name, text);
      put_folder(from, target);
    } catch (const std::exception& error) {
      if (!endings_.contains(node)) undelivered_[node] = error.what();
    }
  }

  void name_reason(const std::string& node, bool late) {
    if (const auto ending = endings_.find(node); ending != endings_.end())
      return monitor_.give_up(node, ending->second.status, ending->second.reason);
    std::string said;
    for (std::size_t i = 0; i < std::min(errors_.size(), said_before_); ++i)
      if (names(errors_[i], node)) said = errors_[i];
    const std::string slurm = slurm_says(node);
    if (!slurm.empty()) {
      monitor_.give_up(node, NodeStatus::lost, model::Note(slurm));
    } else if (late && said.empty()) {
      monitor_.give_up(
          node, NodeStatus::hung,
          {model::NoteCode::no_result_after_deadline,
           {clock_text(grace_after(coordination_.deadline)), clock_text(coordination_.deadline)}});
    } else if (stop_requested()) {
      monitor_.give_up(node, NodeStatus::lost, model::NoteCode::cancelled_before_result);
    } else {
      monitor_.give_up(node, NodeStatus::lost,
                       said.empty() ? model::NoteCode::launcher_ended : model::Note(said));
    }
  }

  // What the launcher said, for reasons that belong to no node.
  void tell_errors() {
    constexpr std::size_t most = 8;
    for (std::size_t i = errors_.size() > most ? errors_.size() - most : 0; i < errors_.size(); ++i)
      fmt::print(stderr, "{}\n", printable(errors_[i]));
  }

  const Coordination& coordination_;
  Monitor monitor_;
  Gathered gathered_;
  std::map<std::string, std::string> undelivered_;    // why, by node
  std::map<std::string, model::NodeRecord> endings_;  // told through the launcher
  std::vector<std::string> errors_;
  std::size_t said_before_ = SIZE_MAX;  // of the errors, those before the launcher was told to end
};

}  // namespace

double grace_after(double deadline) {
  return std::clamp(deadline / 4, 5.0, 60.0);
}

int coordinate(const Coordination& coordination) {
  return Coordinator(coordination).run();
}

}  // namespace gable::cli
