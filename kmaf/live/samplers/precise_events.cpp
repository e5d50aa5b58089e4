#include "kmaf/live/samplers/precise_events.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/numbers.hpp"
#include "base/words.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

constexpr const char* devices = "/sys/bus/event_source/devices/";
constexpr unsigned intel_precise = 3;  // the maximum; 2 is tried if it is refused

std::optional<std::uint64_t> number_of(std::string_view text) {
  return text.starts_with("0x") ? read_as<std::uint64_t>(text.substr(2), 16) : read_as<std::uint64_t>(text);
}

// "event=0xcd,umask=0x1,ldlat=3": a term without a value is 1.
bool put_event(const Settings& settings, const std::string& pmu, const std::string& text, PerfSource& into) {
  for (const std::string& term : split(text, ',')) {
    const std::size_t equals = term.find('=');
    const auto value = equals == std::string::npos ? std::optional<std::uint64_t>(1)
                                                   : number_of(std::string_view(term).substr(equals + 1));
    const auto format = settings.read(devices + pmu + "/format/" + term.substr(0, equals));
    if (!value || !format || !put_term(*format, *value, into)) return false;
  }
  return !text.empty();
}

std::optional<PerfSource> pmu_of(const Settings& settings, const std::string& pmu) {
  const auto type = settings.read(devices + pmu + "/type");
  const auto number = type ? number_of(*type) : std::nullopt;
  if (!number || *number > UINT32_MAX) return {};
  PerfSource source;
  source.type = static_cast<std::uint32_t>(*number);
  if (const auto cpus = settings.read(devices + pmu + "/cpus")) {
    const std::vector<unsigned> listed = machines::listed_numbers(*cpus);
    if (listed.empty()) return {};
    source.cpus.assign(listed.begin(), listed.end());
  }
  return source;
}

// The caller sets the period. The latency threshold stays that of sysfs, the processor's
// minimum.
std::optional<PerfSource> intel_loads(const Settings& settings, const std::string& pmu) {
  const auto event = settings.read(devices + pmu + "/events/mem-loads");
  auto source = event ? pmu_of(settings, pmu) : std::nullopt;
  if (!source || !put_event(settings, pmu, *event, *source)) return {};
  source->name = pmu + "/mem-loads/";
  source->precise = intel_precise;
  if (const auto beside = settings.read(devices + pmu + "/events/mem-loads-aux")) {
    PerfSource leader;
    if (!put_event(settings, pmu, *beside, leader)) return {};
    source->leader = leader.config;
  }
  return source;
}

// One op in `period` is tagged; counts ops instead of cycles if the processor can.
std::optional<PerfSource> amd_ops(const Settings& settings) {
  const std::string pmu = "ibs_op";
  auto source = pmu_of(settings, pmu);
  if (!source) return {};
  source->name = pmu + "//";
  source->samples_stores = true;
  source->needs = "Linux 6.2 or later, and kernel.perf_event_paranoid at 1 or less or CAP_PERFMON";
  // Excludes kernel samples in software, because the processor cannot.
  if (const auto filter = settings.read(devices + pmu + "/format/swfilt")) {
    if (!put_term(*filter, 1, *source)) return {};
    source->needs = "Linux 6.2 or later";
  }
  if (const auto ops = settings.read(devices + pmu + "/format/cnt_ctl"); ops && !put_term(*ops, 1, *source))
    return {};
  return source;
}

}  // namespace

bool put_term(const std::string& format, std::uint64_t value, PerfSource& into) {
  const std::size_t colon = format.find(':');
  if (colon == std::string::npos) return false;
  const std::map<std::string, std::uint64_t*> words = {
      {"config", &into.config}, {"config1", &into.config1}, {"config2", &into.config2}};
  const auto word = words.find(format.substr(0, colon));
  const std::vector<unsigned> bits = machines::listed_numbers(format.substr(colon + 1));
  if (word == words.end() || bits.empty()) return false;
  for (const unsigned bit : bits) {
    if (bit > 63) return false;
    *word->second |= (value & 1) << bit;
    value >>= 1;
  }
  return value == 0;
}

PreciseEvents precise_events(const Settings& settings) {
  PreciseEvents found;
  for (const char* const pmu : {"cpu", "cpu_core", "cpu_atom"}) {
    if (auto source = intel_loads(settings, pmu)) found.sources.push_back(std::move(*source));
  }
  if (found.sources.empty()) {
    if (auto source = amd_ops(settings)) found.sources.push_back(std::move(*source));
  }
  if (found.sources.empty())
    found.missing = std::string("no precise memory event here: ") + devices +
                    " has neither mem-loads nor ibs_op (as in most virtual machines)";
  return found;
}

}  // namespace gable::kmaf::live
