#include "base/pages.hpp"

namespace gable {

std::vector<std::string> page_names() {
  return {"4k", "2m", "1g"};
}

}  // namespace gable
