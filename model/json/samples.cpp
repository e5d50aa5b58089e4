#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "model/json/visits/lines_of.hpp"

namespace gable::model {
namespace {

// Where the samples were measured, a line that was cut off needs no editor.
std::string cure_of_cut(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return fmt::format("`gable measure '{}'` sets it aside and measures it again; elsewhere, delete this line",
                     folder.empty() ? "." : folder);
}

const char* work_name(const Sample& sample) {
  return row_of(row_of(sample.spec.kind).work).name.data();
}

// Why the loads are invalid; empty if they are valid.
std::string fault_of_loads(const Sample& sample) {
  for (const double bytes : sample.load_bytes) {
    if (!std::isfinite(bytes) || bytes < 0) return "\"load_bytes\" must be 0 or more";
  }
  const std::size_t loads = has_load(sample.spec.kind) ? sample.seconds.size() : 0;
  if (sample.load_bytes.size() == loads) return {};
  return fmt::format("\"load_bytes\" has {} entries, expected {}", sample.load_bytes.size(), loads);
}

}  // namespace

template <>
constexpr std::string_view next_step<Sample> = "measure again to fill the gap";

template <typename Io>
void describe(Io& io, As<Sample> auto& sample) {
  io.required("asked", sample.spec);
  io.required("round", sample.round);
  describe_repetitions(io, work_name(sample), sample.work, sample);
  io.given(has_load(sample.spec.kind) || !sample.load_bytes.empty(), "load_bytes", sample.load_bytes);
  io.required("disturbed", sample.disturbed);
  io.required("stopped", sample.stopped);
  io.given(sample.adds_per_cycle > 0, "crowded", sample.crowded);
  io.given(sample.adds_per_cycle > 0, "adds_per_cycle", sample.adds_per_cycle);
  describe_conditions(io, sample);
  describe_notes(io, sample);
}

void check(const Fields& fields, const Sample& sample) {
  check_result(fields, sample.seconds, work_name(sample), sample.work, sample.status, sample.reason);
  if (const std::string fault = fault_of_loads(sample); !fault.empty()) fields.fail(fault);
}

template std::string to_line(const Sample&);
template Sample from_line(std::string_view, const std::string&);

template <>
std::vector<Sample> read_lines(const std::string& path) {
  std::vector<Sample> samples;
  for_each_line(path, [&](const Line& line) {
    if (!line.ends) throw Error::format(line.where, "the last line is cut off; " + cure_of_cut(path));
    samples.push_back(from_line<Sample>(line.text, line.where));
  });
  return samples;
}

}  // namespace gable::model
