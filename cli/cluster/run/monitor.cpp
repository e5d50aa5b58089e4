#include "cli/cluster/run/monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/visit/utc.hpp"
#include "cli/cluster/run/node_records.hpp"
#include "cli/text/message.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;
using model::NodeRecord;
using model::NodeStatus;

std::string record_path(const std::string& folder, const std::string& node) {
  return fs::path(folder) / node;
}

fs::file_time_type time_written(const std::string& folder, const std::string& node) {
  std::error_code ignored;
  return fs::last_write_time(fs::path(folder) / node / "node.json", ignored);
}

bool has_ended(const NodeRecord& record) {
  return record.status != NodeStatus::measuring;
}

}  // namespace

std::map<std::string, NodeRecord> recorded_nodes(const std::string& folder) {
  std::map<std::string, NodeRecord> records;
  for (const std::string& node : names_in(folder)) {
    if (node.starts_with('.')) continue;
    if (auto record = recorded_node(folder, node)) records.emplace(node, std::move(*record));
  }
  return records;
}

std::map<std::string, Monitor::Former> Monitor::former_nodes(const std::string& folder,
                                                             const std::string& options) {
  constexpr auto apart = std::chrono::seconds(10);  // the processes of a launch start within this time
  const auto now = fs::file_time_type::clock::now();
  std::map<std::string, Former> former;
  for (const std::string& records : {folder, other_endings(folder)}) {
    for (auto& [node, record] : recorded_nodes(records)) {
      const fs::file_time_type written = time_written(records, node);
      const bool is_told = is_complete(record, options) && now - written < apart;
      former.emplace(record_path(records, node), Former{std::move(record), written, is_told});
    }
  }
  return former;
}

// Whether the node has written its record in this launch.
bool Monitor::is_new(const std::string& records, const std::string& node, const NodeRecord& record) const {
  const auto former = before_.find(record_path(records, node));
  return former == before_.end() || former->second.is_told || former->second.record != record ||
         former->second.written != time_written(records, node);
}

Monitor::Monitor(std::string folder, std::vector<std::string> nodes, int count, const std::string& options,
                 bool quiet)
    : folder_(std::move(folder)),
      nodes_(std::move(nodes)),
      count_(count),
      quiet_(quiet),
      terminal_(can_redraw()),
      before_(former_nodes(folder_, options)) {}

// Reads the records of the expected nodes; where only their number is known, it reads every new record.
void Monitor::read(bool again) {
  const double every = 1 + count_ / 500.0;
  if (!again && seconds_now() - last_look_ < every) return;
  last_look_ = seconds_now();
  for (const std::string& records : {folder_, other_endings(folder_)}) {
    std::vector<std::string> names = nodes_;
    if (nodes_.empty()) {
      for (const auto& [node, record] : recorded_nodes(records)) names.push_back(node);
    }
    for (const std::string& node : names) {
      if (const auto known = now_.find(node); known != now_.end() && has_ended(known->second)) continue;
      auto record = recorded_node(records, node);
      if (!record || !is_new(records, node, *record)) continue;
      now_[node] = std::move(*record);
    }
  }
  begun_ = static_cast<int>(now_.size());
  ended_ =
      static_cast<int>(std::ranges::count_if(now_, [](const auto& each) { return has_ended(each.second); }));
}

void Monitor::show() {
  if (quiet_) return;
  double left = 0, longest = 0;
  for (const auto& [node, record] : now_) {
    longest = std::max({longest, record.expected, has_ended(record) ? record.seconds : 0});
    if (!has_ended(record)) left = std::max(left, record.deadline > 0 ? record.expected : 0);
  }
  if (ended_ + 1 < count_ && left == 0) left = longest;
  static const double began = seconds_now();
  left = std::max(0.0, left - (seconds_now() - began));
  const int step = terminal_ ? static_cast<int>(seconds_now()) : 20 * ended_ / std::max(1, count_);
  if (step == std::exchange(shown_, step)) return;
  const std::string text = fmt::format("{} of {} done{}", ended_, count_text(count_, "node"),
                                       left > 0 ? ", " + clock_text(left) + " left" : "");
  if (terminal_) {
    redraw(text);
  } else {
    tell(text);
  }
}

void Monitor::look() {
  read(false);
  show();
}

bool Monitor::all_ended() {
  return ended_ >= count_;
}

std::vector<std::string> Monitor::open_nodes() {
  read(true);
  std::vector<std::string> open;
  for (const std::string& node : nodes_) {
    const auto known = now_.find(node);
    if (known == now_.end() || !has_ended(known->second)) open.push_back(node);
  }
  for (const auto& [node, record] : now_) {
    if (nodes_.empty() && !has_ended(record)) open.push_back(node);
  }
  return open;
}

void Monitor::give_up(const std::string& node, NodeStatus status, const model::Note& reason) {
  NodeRecord record = now_.contains(node) ? now_.at(node) : NodeRecord();
  record.node = node;
  record.status = status;
  record.reason = reason;
  if (record.started.empty()) record.started = bench::utc_now();
  now_[node] = record;
  const auto in_folder = recorded_node(folder_, node);
  if (in_folder && (in_folder->status == NodeStatus::complete || in_folder->status == NodeStatus::partial))
    return;
  if (in_folder && status == NodeStatus::refused) return;  // the record is that of the other measurement
  try {
    fs::create_directories(fs::path(folder_) / node);
    write_whole(fs::path(folder_) / node / "node.json", node_record_to_json(record));
  } catch (const std::exception& error) {
    tell(fmt::format("{}: {}", node, error.what()));
  }
}

// Those of this launch alone: another one may be at work in DIR.
void Monitor::forget_endings() const {
  const fs::path folder = other_endings(folder_);
  std::error_code ignored;
  for (const auto& [node, record] : now_) fs::remove_all(folder / node, ignored);
  fs::remove(folder, ignored);  // if it is empty
}

int Monitor::finish(const std::string& call) {
  read(true);
  if (terminal_ && !quiet_) redraw("");
  forget_endings();
  std::map<NodeStatus, int> counts;
  std::string reasons;
  for (const auto& [node, record] : now_) {
    ++counts[record.status];
    if (record.status == NodeStatus::complete || record.status == NodeStatus::left_out) continue;
    reasons += fmt::format("  {}  {}: {}\n", node, name_of(record.status), sentence(record.reason));
  }
  const std::string text =
      joined(counts, [](const auto& each) { return fmt::format("{} {}", each.second, name_of(each.first)); });
  if (!now_.empty())
    fmt::print("{}: {}\n{}", count_text(static_cast<std::int64_t>(now_.size()), "node"), text, reasons);
  const int missing = std::max(count_, static_cast<int>(now_.size())) - counts[NodeStatus::complete] -
                      counts[NodeStatus::left_out];
  if (missing > 0) fmt::print("`{}` measures only what is missing\n", call);
  return missing;
}

}  // namespace gable::cli
