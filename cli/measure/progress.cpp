#include "cli/measure/progress.hpp"

#include <fmt/core.h>

#include "base/words.hpp"
#include "model/json/case.hpp"
#include "model/records/names.hpp"

namespace gable::cli {

namespace {

std::string result(const model::Sample& sample) {
  if (sample.status != model::Status::ok) {
    return fmt::format("{}: {}", model::name_of(sample.status), sentence(sample.reason));
  }
  double seconds = 0, work = 0;
  for (const double s : sample.seconds) seconds += s;
  for (const double w : sample.work) work += w;
  const model::Kind kind = sample.spec.kind;
  return fmt::format("{:.1f} {}", in_unit(kind, work, seconds), unit_of(kind));
}

}  // namespace

void show(ProgressLine& line, const bench::Progress& progress) {
  const std::string last = progress.last == nullptr ? ""
                                                    : name_of(progress.last->spec, model::Style::visit) +
                                                          "  " + result(*progress.last);
  line.show(progress.visits_done, progress.visits, progress.seconds_left, last);
}

}  // namespace gable::cli
