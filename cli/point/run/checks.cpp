#include "cli/point/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "bench/single/single.hpp"
#include "cli/bench/bench.hpp"
#include "cli/text/message.hpp"
#include "kernels/kernel.hpp"
#include "model/points/needs/needs.hpp"
#include "model/records/names.hpp"
#include "points/counters/counts.hpp"
#include "points/counters/pmu.hpp"
#include "points/run.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;

bool is_launcher(std::string_view name) {
  constexpr std::string_view launchers[] = {
      "aprun",   "chrt",    "env",     "hwloc-bind", "ionice", "likwid-pin", "mpiexec", "mpirun", "nice",
      "numactl", "orterun", "prterun", "setarch",    "srun",   "stdbuf",     "taskset", "time",   "timeout"};
  return std::ranges::find(launchers, name) != std::end(launchers);
}

// Whether the program is an interpreter, with any version behind its name.
bool is_interpreter(std::string_view name) {
  constexpr std::string_view interpreters[] = {"bash",   "dash", "java",    "julia", "ksh", "perl",
                                               "python", "ruby", "Rscript", "sh",    "zsh"};
  const std::string_view plain = name.substr(0, name.find_last_not_of("0123456789.") + 1);
  return std::ranges::find(interpreters, plain) != std::end(interpreters);
}

bool is_program(const std::string& word) {
  if (word.empty() || word.starts_with('-') || word.find('=') != std::string::npos) return false;
  try {
    points::find_program(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool is_file(const std::string& word) {
  std::error_code error;
  return fs::is_regular_file(word, error);
}

constexpr std::uint64_t iterations = 200000;

// Every flops kernel that runs here.
std::vector<points::KnownWork> known_works() {
  std::vector<points::KnownWork> works;
  for (const kernels::Kernel& kernel : kernels::all()) {
    if (kernel.kind != kernels::Kind::flops || !kernels::runs(kernel)) continue;
    const auto run = [&kernel] {
      kernels::Arguments arguments;
      arguments.scalar = kernels::usual_operand(kernel);
      arguments.iterations = iterations;
      kernel.code(&arguments);
    };
    works.push_back({kernel.name, static_cast<double>(kernel.flops) * iterations, run});
  }
  return works;
}

constexpr double seconds = 0.3;

// The roof behind the need, or the one with the largest part in it, if it can be measured by itself.
const model::Roof* measurable_roof(const model::Roofs& roofs, const model::Need& need, int cluster) {
  const model::Limit& limit = need.limit;
  const auto is_measurable = [&](const model::Roof& roof) {
    const model::Case& spec = roof.spec;
    const bool is_near = spec.cluster == cluster && is_memory(spec.level) && is_local(spec.pattern);
    if (roof.status != model::Status::ok || spec.smt || busy_everywhere(spec.pattern)) return false;
    switch (limit.kind) {
      case model::Limit::Kind::cache:
      case model::Limit::Kind::memory:
      case model::Limit::Kind::flops:
        return spec == limit.measured;
      case model::Limit::Kind::irregular:
        if (is_cache(limit.level))
          return spec.cluster == cluster && spec.kind == model::Kind::latency && spec.level == limit.level;
        if (need.room != model::Need::Room::unknown) return is_near && spec.kind == model::Kind::latency;
        return is_near && spec.kind == model::Kind::random && spec.threads == limit.threads;
      case model::Limit::Kind::chain:
        return is_near && spec.kind == model::Kind::latency;
      default:
        return false;
    }
  };
  const auto found = std::ranges::find_if(roofs.roofs, is_measurable);
  return found == roofs.roofs.end() ? nullptr : &*found;
}

// The roof as it is now; nothing if the measurement was disturbed.
std::optional<model::Roof> measured_again(const machines::Machine& machine, const model::Case& spec) {
  bench::Options options;
  options.threads = spec.threads;
  bench::Single single;
  single.op = spec.op.name();
  single.cluster = spec.cluster;
  single.seconds = seconds;
  if (spec.kind == model::Kind::latency) single.op = name_of(model::Kind::latency);
  if (is_peak(spec.kind)) {
    single.op = fmt::format("{}_{}", spec.op.name(), name_of(spec.precision));
    options.isa = model::isa_of(spec.kernel);
  } else if (options.pages = {spec.pages}; is_memory(spec.level)) {
    single.node = spec.node;
  } else {
    single.bytes = spec.bytes * static_cast<std::uint64_t>(std::max(spec.threads, 1));
  }
  const model::Roof roof = measured_figure(machine, options, single).roof;
  return roof.status == model::Status::ok ? std::optional(roof) : std::nullopt;
}

model::Note stale_note(const model::Roof& before, const model::Roof& now) {
  const std::string name = name_of(before.spec, model::Style::limit);
  if (before.spec.kind == model::Kind::bandwidth)
    return {model::NoteCode::stale_roof,
            {name, before.value, before.lo, before.hi, now.value, now.lo, now.hi}};
  return {model::NoteCode::stale_figure,
          {name, before.value, before.unit, before.lo, before.hi, now.value, now.lo, now.hi}};
}

}  // namespace

std::string program_name(std::span<const std::string> command) {
  const std::string name = fs::path(command.front()).filename();
  const auto rest = command.subspan(1);
  if (is_launcher(name)) {
    const auto program = std::ranges::find_if(rest, is_program);
    if (program != rest.end()) return program_name({program, rest.end()});
  }
  if (!is_interpreter(name)) return name;
  const auto script = std::ranges::find_if(rest, is_file);
  return script == rest.end() ? name : fs::path(*script).filename().string();
}

void require_true_pmu() {
  constexpr double most_percent = 1;
  std::string wrong;
  double worst = 0;
  for (const points::CounterError& error : points::test_pmu(known_works())) {
    worst = std::max(worst, std::abs(error.percent()));
    if (std::abs(error.percent()) <= most_percent) continue;
    wrong += fmt::format("\n  {}: {:.4g} flops counted, {:.4g} done ({:+.1f} %)", error.name, error.counted,
                         error.known, error.percent());
  }
  if (!wrong.empty())
    throw Error::failed("pmu: the counters are wrong on kernels of known flops, and are not used:" + wrong);
  tell(fmt::format("the counters are right within {:.2g} % on kernels of known flops", worst));
}

bool has_changed(const model::Roof& before, const model::Roof& now) {
  constexpr double much = 0.05, steady = 0.1;
  const double gap = std::max(now.lo - before.hi, before.lo - now.hi);
  if (gap <= 0 || std::abs(now.value / before.value - 1) <= much) return false;
  return now.hi - now.lo <= std::max(steady * now.value, gap);
}

model::Notes stale_roofs(const machines::Machine& machine, const Background& background,
                         const model::Point& point) {
  constexpr std::size_t most = 2;
  model::Notes notes;
  if (point.levels.empty() || point.cluster < 0) return notes;
  const std::vector<model::Need> needs = needs_of(background.roofs, point, point.cluster, background.hybrid);
  for (std::size_t i = 0; i < std::min(most, needs.size()); ++i) {
    const model::Roof* const before = measurable_roof(background.roofs, needs[i], point.cluster);
    if (before == nullptr) continue;
    std::optional<model::Roof> now;
    try {
      now = measured_again(machine, before->spec);
    } catch (const Error& error) {  // such pages or kernels are not to be had here
      if (error.kind != Error::Kind::usage && error.kind != Error::Kind::unavailable) throw;
    }
    if (!now || !has_changed(*before, *now)) continue;
    notes.push_back(stale_note(*before, *now));
  }
  return notes;
}

}  // namespace gable::cli
