#include "model/records/virt.hpp"

#include <fmt/format.h>

namespace gable::model {

namespace {

constexpr const char* others_kept = "other processes kept ";

}  // namespace

std::string note_of_others(double cpus) {
  return fmt::format("{}{:.1f} CPUs busy", others_kept, cpus);
}

bool is_of_others(const std::string& note) {
  return note.starts_with(others_kept);
}

std::string key(const VirtCase& asked) {
  return fmt::format("kind={} what={} pages={} cpu={} bytes={}", asked.kind, asked.what, name_of(asked.pages),
                     asked.cpu, asked.bytes);
}

}  // namespace gable::model
