#include "base/pages.hpp"

namespace gable {

std::vector<std::string> page_names() {
  if (small_page() == 64 << 10) return {"64k", "2m", "512m", "16g"};
  if (small_page() == 16 << 10) return {"16k", "2m", "32m", "1g"};
  return {"4k", "64k", "2m", "32m", "1g"};
}

}  // namespace gable
