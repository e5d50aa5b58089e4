#include "cli/cluster/run/node.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "base/installation.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/programs/program.hpp"
#include "base/words.hpp"
#include "bench/visit/rounds.hpp"
#include "bench/visit/utc.hpp"
#include "cli/cluster/node_facts.hpp"
#include "cli/cluster/run/delivery.hpp"
#include "cli/cluster/run/node_records.hpp"
#include "cli/interrupt.hpp"
#include "cli/text/message.hpp"
#include "model/json/lines.hpp"
#include "model/records/records.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;
using model::NodeRecord;
using model::NodeStatus;

// The same for the same DIR, so that a rerun finds what is left there.
fs::path local_folder(const NodeTask& task, const std::string& node) {
  const std::size_t name = std::hash<std::string>()(fs::absolute(task.folder).lexically_normal());
  return fs::path(task.local) / fmt::format("gable-cluster-{}", getuid()) / fmt::format("{:016x}", name) /
         node;
}

std::uintmax_t size_of(const fs::path& file) {
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(file, ignored);
  return ignored ? 0 : size;
}

// What an earlier run delivered, where the node itself has less.
void resume(const fs::path& from, const fs::path& local) {
  if (size_of(from / "samples.jsonl") <= size_of(local / "samples.jsonl")) return;
  for (const char* name : {"machine.json", "topology.xml", "samples.jsonl"})
    if (fs::exists(from / name)) write_whole(local / name, read_whole(from / name));
}

// What the samples tell about the run.
void add_run(NodeRecord& record, const fs::path& local) {
  std::vector<model::Sample> samples = model::read_lines<model::Sample>(local / "samples.jsonl");
  std::erase_if(samples, [](const model::Sample& sample) { return sample.status != model::Status::ok; });
  std::map<std::string, int> rounds;
  for (const auto& [key, round] : bench::visited_of(samples))
    record.rounds = std::max(record.rounds, ++rounds[key]);
  record.clock_ghz = model::median_clock(samples);
}

void tell_facts(NodeRecord& record, const fs::path& local) {
  add_machine(record, local);
  for (model::NodeFact& fact : system_facts()) record.facts.push_back(std::move(fact));
}

// How long the measurement will take, in seconds; 0: not known.
double planned_seconds(std::vector<std::string> measure) {
  measure.insert(measure.end(), {"--list", "--json"});
  try {
    return json_from(output_of(measure).output).at("seconds_left").get<double>();
  } catch (const Json::exception&) {  // some plans have no list
    return 0;
  }
}

class NodeRun {
 public:
  NodeRun(const NodeTask& task, const Launch& launch)
      : task_(task), local_(local_folder(task, node_name())), target_(fs::path(task.folder) / node_name()) {
    record_.node = node_name();
    record_.options = options_text(task.options);
    record_.launch = launch.id.empty() ? launch.launcher : launch.launcher + " " + launch.id;
    record_.started = bench::utc_now();
    record_.deadline = began_ + task.seconds;
    std::error_code ignored;
    if (!streams_results()) fs::remove_all(fs::path(other_endings(task.folder)) / record_.node, ignored);
  }

  bool run(const std::function<void()>& meanwhile) {
    try {
      measure_and_fit(meanwhile);
    } catch (const std::exception& error) {
      set(NodeStatus::failed, model::Note(error.what()));
    }
    record_.seconds = seconds_now() - began_;
    return deliver() && record_.status == NodeStatus::complete;
  }

  /// What keeps this node from being measured.
  void end(NodeStatus status, const model::Note& reason) {
    set(status, reason);
    post();
    if (status != NodeStatus::left_out && task_.stream == NodeStream::none) tell_reason();
  }

  /// What cannot be recorded in DIR.
  void fail(const model::Note& reason) {
    set(NodeStatus::failed, reason);
    if (task_.stream == NodeStream::none)
      tell_reason();
    else
      send(stream_of(record_.node, "node.json", node_record_to_json(record_)));
  }

  const std::string& options() const { return record_.options; }

 private:
  bool streams_results() const { return task_.stream == NodeStream::results; }

  void tell_reason() const { tell(fmt::format("{}: {}", record_.node, sentence(record_.reason))); }

  void set(NodeStatus status, const model::Note& reason) {
    record_.status = status;
    record_.reason = reason;
  }

  // node.json alone.
  void post() {
    const std::string text = node_record_to_json(record_);
    if (streams_results()) {
      send(stream_of(record_.node, "node.json", text));
      return;
    }
    const bool apart = stays(recorded_node(task_.folder, record_.node), record_);
    if (apart && record_.status == NodeStatus::measuring) return;
    const fs::path folder = apart ? fs::path(other_endings(task_.folder)) / record_.node : target_;
    fs::create_directories(folder);
    write_whole(folder / "node.json", text);
  }

  void measure_and_fit(const std::function<void()>& meanwhile) {
    fs::create_directories(local_);
    if (!streams_results()) resume(target_, local_);
    std::vector<std::string> command = {own_program(), "measure", local_};
    command.insert(command.end(), task_.options.begin(), task_.options.end());
    tell_expected(planned_seconds(command));
    command.push_back("--quiet");
    RunningProgram child({.command = command, .outputs = Outputs::apart});
    std::string last;  // what it said, for it may be the reason for how it ends
    const auto hear = [&](bool all) {
      for (const std::string& line : take_lines(child.err, all)) last = line;
    };
    std::optional<double> stopped;
    while (child.wait(1)) {
      child.out.clear();
      hear(false);
      meanwhile();
      const double now = seconds_now();
      if (!stopped && (stop_requested() || now > record_.deadline)) {
        child.send(SIGTERM);
        stopped = now;
      }
      constexpr double patience = 8;  // it ends its repetition and writes its sample
      if (stopped && now > *stopped + patience) child.send(SIGKILL);
    }
    hear(true);
    const int status = child.finish().status;
    const bool late = stopped && !stop_requested();
    if (late)
      set(NodeStatus::partial, {model::NoteCode::stopped_at_deadline, {clock_text(task_.seconds)}});
    else if (stopped)
      set(NodeStatus::partial, model::NoteCode::cancelled);
    else if (status == 0)
      set(NodeStatus::complete, {});
    else
      set(NodeStatus::failed,
          last.empty() ? model::Note(model::NoteCode::measure_failed, {double(status)}) : model::Note(last));
    tell_facts(record_, local_);
    if (size_of(local_ / "samples.jsonl") == 0) return;
    add_run(record_, local_);
    const Captured fitted = output_of({own_program(), "fit", "--quiet", local_});
    if (fitted.status != 0 && record_.status == NodeStatus::complete)
      set(NodeStatus::failed, model::Note(fitted.errors));
  }

  void tell_expected(double seconds) {
    record_.expected = seconds;
    try {
      post();
    } catch (const std::exception&) {  // the delivery will tell
    }
  }

  // Whether DIR has it.
  bool deliver() {
    try {
      const std::string text = node_record_to_json(record_);
      const bool any = size_of(local_ / "samples.jsonl") > 0;
      if (any) write_whole(local_ / "node.json", text);
      if (!any)
        post();
      else if (streams_results())
        send(stream_of(record_.node, local_));
      else
        put_folder(local_, target_);
      std::error_code ignored;
      if (record_.status == NodeStatus::complete) fs::remove_all(local_, ignored);
      return true;
    } catch (const std::exception& error) {
      fail({model::NoteCode::not_delivered, {error.what(), local_.string()}});
      return false;
    }
  }

  const NodeTask& task_;
  const fs::path local_, target_;
  NodeRecord record_;
  const double began_ = seconds_now();
};

}  // namespace

bool measure_node(const NodeTask& task, const Launch& launch, const std::function<void()>& meanwhile) {
  const std::string node = node_name();
  if (is_among(task.skip, node)) return true;
  NodeRun run(task, launch);
  try {
    const auto former = task.stream == NodeStream::results ? std::nullopt : recorded_node(task.folder, node);
    if (former && is_complete(*former, run.options())) {
      touch_record(task.folder, node);
      return true;
    }
    const NodeLock lock(lock_path(task.local), fmt::format("{} {}, which measures into {}", launch.launcher,
                                                           launch.id, task.folder));
    if (!lock.other().empty()) {
      run.end(NodeStatus::refused, {model::NoteCode::measured_by_other, {lock.other()}});
      return false;
    }
    if (task.sample > 0 && !has_sample_slot(task.folder, node, task.sample)) {
      run.end(NodeStatus::left_out, {model::NoteCode::group_is_measured, {double(task.sample)}});
      return true;
    }
    return run.run(meanwhile);
  } catch (const std::exception& error) {
    run.fail(model::Note(error.what()));
    return false;
  }
}

void sleep_beside(const NodeTask& task) {
  constexpr unsigned until_it_has_begun = 3;
  sleep(until_it_has_begun);
  wait_for_lock(lock_path(task.local));
}

}  // namespace gable::cli
