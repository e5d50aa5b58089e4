#include "model/json/visits/visit.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gable::model {
namespace {

bool all_positive(const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) return false;
  }
  return true;
}

}  // namespace

void check_result(const Fields& fields, const std::vector<double>& seconds, const char* name,
                  const std::vector<double>& work, Status status, const Note& reason) {
  if (!all_positive(seconds)) fields.fail("\"seconds\" must be above 0");
  if (!all_positive(work)) fields.fail(fmt::format("\"{}\" must be above 0", name));
  if (seconds.size() != work.size())
    fields.fail(fmt::format("\"seconds\" has {} entries, \"{}\" has {}", seconds.size(), name, work.size()));
  for (std::size_t i = 0; i < work.size(); ++i) {
    const double rate = work[i] / seconds[i];
    if (rate < 1e-30 || rate > 1e30)
      fields.fail(fmt::format("\"{}\" in \"seconds\" is a rate of {}", name, rate));
  }
  if (status == Status::ok && seconds.empty()) fields.fail("status \"ok\" without a repetition");
  if (status == Status::ok && !reason.empty()) fields.fail("status \"ok\" with a \"reason\"");
  if (status != Status::ok && reason.empty()) fields.fail("a status that is not ok needs a \"reason\"");
}

}  // namespace gable::model
