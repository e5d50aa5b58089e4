#include "model/json/programs/samples.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace gable::model {

std::string wrong_samples(const Point& point) {
  const Samples& samples = point.samples;
  double parts = 0;
  bool valid = std::isfinite(samples.all) && std::isfinite(samples.seconds) && samples.seconds >= 0;
  const auto add = [&](double count) {
    valid = valid && std::isfinite(count) && count >= 0;
    parts += count;
  };
  add(samples.kernel);
  for (const auto& [file, count] : samples.elsewhere) add(count);
  for (const FunctionWork& work : point.functions) add(work.samples);
  if (!valid) return "\"samples\" must be numbers, 0 or more";
  return parts > 1.001 * samples.all ? "the functions have more \"samples\" than the point" : "";
}

void add_time_to_json(const Point& point, const FunctionWork& work, const FunctionReading* reading,
                      Json& out) {
  if (const auto time = time_share(point.samples, work.samples)) {
    out["time"] = time->value;
    out["time_lo"] = time->lo;
    out["time_hi"] = time->hi;
  }
  if (reading == nullptr) return;
  out["needs_most"] = reading->what;
  out["need"] = reading->share;
  out["need_lo"] = reading->lo;
  out["need_hi"] = reading->hi;
  if (!reading->measured) return;
  out["remains"] = reading->measured->remains;
  out["verdict"] = name_of(reading->measured->verdict);
}

}  // namespace gable::model
