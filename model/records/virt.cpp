#include "model/records/virt.hpp"

#include <fmt/format.h>

namespace gable::model {

std::string key(const VirtCase& asked) {
  return fmt::format("kind={} what={} pages={} cpu={} bytes={}", asked.kind, asked.what, asked.pages,
                     asked.cpu, asked.bytes);
}

}  // namespace gable::model
