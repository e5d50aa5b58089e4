#include "cli/cluster/run/node_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "base/files.hpp"

namespace gable::cli {

namespace fs = std::filesystem;
using model::NodeRecord;
using model::NodeStatus;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<NodeRecord> recorded_node(const std::string& folder, const std::string& node) {
  const fs::path path = fs::path(folder) / node / "node.json";
  try {
    return model::node_record_from_json(read_whole(path), path);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string other_endings(const std::string& folder) {
  return fs::path(folder) / ".ended";
}

bool stays(const std::optional<NodeRecord>& former, const NodeRecord& record) {
  if (!former) return false;
  const bool ended = record.status != NodeStatus::measuring;
  if (former->status == NodeStatus::measuring)
    return record.status == NodeStatus::refused && former->deadline > seconds_now();
  return former->status == NodeStatus::complete || (former->status == NodeStatus::partial && ended);
}

std::string options_text(const std::vector<std::string>& options) {
  return fmt::format("{}", fmt::join(options, " "));
}

bool is_complete(const NodeRecord& record, const std::string& options) {
  return record.status == NodeStatus::complete && record.options == options;
}

void touch_record(const std::string& folder, const std::string& node) {
  std::error_code ignored;
  fs::last_write_time(fs::path(folder) / node / "node.json", fs::file_time_type::clock::now(), ignored);
}

}  // namespace gable::cli
