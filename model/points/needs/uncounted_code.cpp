#include "model/points/needs/uncounted_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "model/points/needs/thread_wait.hpp"
#include "model/points/verdict_words.hpp"
#include "model/records/profile.hpp"

namespace gable::model {

std::optional<UncountedCode> uncounted_code(const Point& point) {
  constexpr double worth_a_word = 0.1;
  const Samples& samples = point.samples;
  UncountedCode found;
  double sum = 0, most = 0;
  for (const auto& [file, count] : samples.elsewhere) {
    if (file.empty() || is_openmp_runtime(file)) continue;
    const auto waits = samples.spinning.find(file);
    const double works = std::max(0.0, count - (waits == samples.spinning.end() ? 0 : waits->second));
    sum += works;
    if (works > most) found.file = without_folders(file);
    most = std::max(most, works);
  }
  found.share = samples.all > 0 ? sum / samples.all : 0;
  return found.share >= worth_a_word ? std::optional(found) : std::nullopt;
}

bool is_mostly_uncounted(const UncountedCode& code) {
  return code.share >= far_below_percent / 100;
}

std::string uncounted_figures(const UncountedCode& code) {
  return fmt::format("{} of its CPU time is in code that it did not execute when it was counted (most in {})",
                     percent_text(100 * code.share), code.file);
}

std::string uncounted_advice() {
  return "let its libraries choose code without AVX-512 or SVE, which Valgrind does not know, when it is "
         "timed, too (OpenBLAS: OPENBLAS_CORETYPE=Haswell)";
}

}  // namespace gable::model
