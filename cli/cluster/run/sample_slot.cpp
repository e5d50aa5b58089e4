#include "cli/cluster/run/sample_slot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "base/whole_file.hpp"
#include "cli/cluster/node_facts.hpp"
#include "cli/cluster/run/node.hpp"
#include "kernels/kernel.hpp"
#include "machines/host.hpp"
#include "machines/json.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

std::string own_hardware() {
  const machines::Host host = machines::this_host();
  const TemporaryFolder described("gable-node");
  write_whole(described.path / "machine.json",
              machines::machine_json(machines::this_machine(), &host, kernels::isas(),
                                     {{"version", GABLE_VERSION}, {"compiler", GABLE_COMPILER}}));
  return hardware_of(described.path, recorded_facts(described.path));
}

// Creates the file with the text; false where it is there already.
bool created(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0 && errno == EEXIST) return false;
  if (file < 0) fail(path);
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  if (!written) fail(path);
  return true;
}

// Whether the node that has the slot will never use it.
bool is_given_up(const std::string& folder, const std::string& owner) {
  const auto record = owner.empty() ? std::nullopt : recorded_node(folder, owner);
  if (!record) return false;
  const bool late = record->status == model::NodeStatus::measuring && record->deadline < seconds_now();
  return late ||
         (record->status != model::NodeStatus::measuring && record->status != model::NodeStatus::complete &&
          record->status != model::NodeStatus::partial);
}

}  // namespace

bool has_sample_slot(const std::string& folder, const std::string& node, int most) {
  const fs::path slots = fs::path(folder) / ".sample";
  fs::create_directories(slots);
  const std::size_t group = std::hash<std::string>()(own_hardware());
  for (int i = 0; i < most; ++i) {
    const fs::path slot = slots / fmt::format("{:016x}-{}", group, i);
    if (created(slot, node)) return true;
    const std::string owner = read_whole(slot);
    if (owner == node) return true;
    if (!is_given_up(folder, owner)) continue;
    std::error_code ignored;
    if (fs::remove(slot, ignored) && created(slot, node)) return true;
  }
  return false;
}

}  // namespace gable::cli
