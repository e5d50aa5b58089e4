#include "cli/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "kernels/kernel.hpp"

// CMakeLists.txt defines GABLE_BUILT_IN and GABLE_NOT_BUILT_IN: names with commas.

namespace gable::cli {

std::string version_text() {
  std::string text =
      fmt::format("gable {}\ncompiler: {}, {}\nkernels: {}\nbuilt in: {}\n", GABLE_VERSION, GABLE_COMPILER,
                  GABLE_BUILD_TYPE, fmt::join(kernels::isas(~0u), ", "), GABLE_BUILT_IN);
  const std::string_view missing = GABLE_NOT_BUILT_IN;
  if (!missing.empty()) text += fmt::format("not built in: {}\n", missing);
  text += "license: BSD-3-Clause";
  return text;
}

}  // namespace gable::cli
