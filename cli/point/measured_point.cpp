#include "cli/point/measured_point.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/sorting.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

using points::Flops;
using points::Work;

template <typename Wanted>
double flops_with(const Work& work, const Wanted& wanted) {
  double sum = 0;
  for (const Flops& sort : work.flops) sum += wanted(sort) ? static_cast<double>(sort.count) : 0;
  return sum;
}

constexpr double nearly_all = 0.99;

// The precision of nearly all flops; none where the counter cannot tell it.
model::Precision precision_of(const Work& work) {
  const auto of = [&](Flops::Precision precision) {
    return flops_with(work, [&](const Flops& sort) { return sort.precision == precision; });
  };
  const auto all = static_cast<double>(work.flop_count());
  if (all <= 0 || of(Flops::Precision::any) > 0) return {};
  return of(Flops::Precision::dp) >= nearly_all * all   ? model::Precision::dp
         : of(Flops::Precision::sp) >= nearly_all * all ? model::Precision::sp
                                                        : model::Precision::mixed;
}

double flops_of(const Work& work, Flops::Operation operation) {
  return flops_with(work, [&](const Flops& sort) { return sort.operation == operation; });
}

// "add" or "mul" where nearly all flops are of that kind.
std::string operation_of(const Work& work) {
  const auto all = static_cast<double>(work.flop_count());
  for (const Flops::Operation operation : {Flops::Operation::add, Flops::Operation::mul}) {
    if (all > 0 && flops_of(work, operation) >= nearly_all * all) return std::string(name(operation));
  }
  return {};
}

std::optional<double> percent_of_all(const Work& work, double part) {
  const auto all = static_cast<double>(work.flop_count());
  return all > 0 ? std::optional(100 * part / all) : std::nullopt;
}

std::optional<double> scalar_percent(const Work& work) {
  const double unknown = flops_with(work, [](const Flops& sort) {
    return sort.vector_bits == Flops::unknown_bits && sort.precision != Flops::Precision::x87;
  });
  if (unknown > 0) return std::nullopt;
  return percent_of_all(work, flops_with(work, [](const Flops& sort) { return sort.vector_bits <= 0; }));
}

std::optional<double> fma_percent(const Work& work) {
  if (flops_of(work, Flops::Operation::any) > 0) return std::nullopt;
  return percent_of_all(work, flops_of(work, Flops::Operation::fma));
}

void note_x87(model::Point& point, const Work& work) {
  constexpr double worth_a_word = 10;  // percent
  const double x87 =
      flops_with(work, [](const Flops& sort) { return sort.precision == Flops::Precision::x87; });
  const double share = percent_of_all(work, x87).value_or(0);
  const bool matters = x87 >= 0.01 * work.instructions.executed;
  if (matters && share >= worth_a_word) point.notes.push_back({model::NoteCode::x87_latencies, {share}});
}

double bytes_or_zero(const std::optional<std::uint64_t>& bytes) {
  return static_cast<double>(bytes.value_or(0));
}

}  // namespace

bool set_bytes(model::Point& point, const Work& work) {
  if (!work.load_bytes || !work.store_bytes) return false;
  point.load_bytes = bytes_or_zero(work.load_bytes);
  point.store_bytes = bytes_or_zero(work.store_bytes);
  return true;
}

void set_flops(model::Point& point, const points::Counts& counts) {
  const Work& work = counts.total;
  point.counter = counts.counter;
  point.flops = static_cast<double>(work.flop_count());
  if (point.precision == model::Precision::none) point.precision = precision_of(work);
  point.operation = model::Operation(operation_of(work));
  point.arithmetic = points::arithmetic_of(work);
  point.instructions = work.instructions;
  point.scalar_flops_percent = scalar_percent(work);
  point.fma_flops_percent = fma_percent(work);
  point.notes.insert(point.notes.end(), counts.notes.begin(), counts.notes.end());
  note_x87(point, work);
}

void set_seconds(model::Point& point, const std::vector<double>& seconds) {
  const model::Estimate estimate = model::estimate_median(seconds);
  point.seconds = estimate.value;
  point.seconds_lo = estimate.lo;
  point.seconds_hi = estimate.hi;
  point.repetitions = estimate.n;
  constexpr double brief = 0.05;
  if (point.region.empty() && point.seconds < brief) {
    point.notes.push_back({model::NoteCode::brief_run, {1e3 * point.seconds}});
  }
}

void set_usage(model::Point& point, const std::vector<Usage>& runs) {
  constexpr double least = 0.1;  // seconds: many kernels tell user from kernel time by ticks of up to 10 ms
  Usage all;
  for (const Usage& run : runs) all += run;
  if (all.user_seconds + all.kernel_seconds < least) return;
  const auto count = static_cast<double>(runs.size());
  point.user_seconds = all.user_seconds / count;
  point.kernel_seconds = all.kernel_seconds / count;
  point.page_faults = all.page_faults / count;
}

void set_residence(model::Point& point, const points::Residence& residence) {
  point.huge_pages_percent = residence.huge_pages_percent;
  if (residence.samples > 0) {
    point.node_bytes = residence.node_bytes;
    if (!residence.too_little_seen.empty())
      point.notes.push_back({model::NoteCode::pages_seen_rarely, {residence.too_little_seen}});
    return;
  }
  point.notes.emplace_back(model::NoteCode::data_not_seen);
}

int threads_of(const points::Residence& residence, const std::optional<points::Counts>& counts) {
  std::vector<points::Work> all;
  if (counts) {
    for (const points::ProcessCounts& process : counts->processes)
      all.insert(all.end(), process.threads.begin(), process.threads.end());
  }
  const int working = points::working_threads(all);
  if (residence.threads > 0) return working > 0 ? std::min(residence.threads, working) : residence.threads;
  const bool is_one = counts && counts->processes.size() == 1 && counts->processes[0].threads.size() == 1;
  return is_one ? 1 : 0;
}

std::map<std::string, std::string> environment_that_matters() {
  static constexpr std::array<std::string_view, 10> prefixes = {
      "OMP_",    "GOMP_",           "KMP_",        "OPENBLAS_", "MKL_", "BLIS_",
      "MALLOC_", "GLIBC_TUNABLES=", "LD_PRELOAD=", "MEMKIND_"};
  std::map<std::string, std::string> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool matters = std::any_of(prefixes.begin(), prefixes.end(),
                                     [&](std::string_view prefix) { return text.starts_with(prefix); });
    const std::size_t equals = text.find('=');
    if (matters && equals != std::string_view::npos)
      kept[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  return kept;
}

void set_functions(model::Point& point, const points::Counts& counts) {
  for (const points::FunctionCounts& one : counts.functions) {
    point.functions.push_back({one.function, one.object, static_cast<double>(one.work.flop_count()),
                               bytes_or_zero(one.work.load_bytes), bytes_or_zero(one.work.store_bytes)});
    point.functions.back().arithmetic = points::arithmetic_of(one.work);
    point.functions.back().instructions = one.work.instructions;
    point.functions.back().loop = one.loop;
    point.functions.back().line = one.line;
    point.instructions.path += one.work.instructions.path;
    for (const auto amount : model::Instructions::estimates)
      point.instructions.*amount += one.work.instructions.*amount;
  }
  const auto most = [](const model::FunctionWork& a, const model::FunctionWork& b) {
    return a.flops + a.load_bytes + a.store_bytes > b.flops + b.load_bytes + b.store_bytes;
  };
  sort_with(point.functions, most);
}

void set_samples(model::Point& point, const points::FunctionSamples& samples) {
  point.samples = samples.samples;
  for (model::FunctionWork& work : point.functions) {
    const auto own = samples.of.find(key_of(work));
    work.samples = own == samples.of.end() ? 0 : own->second;
  }
}

void note_uneven_threads(model::Point& point, const points::Counts& counts) {
  if (point.cluster >= 0) return;
  double all = 0, most = 0;
  for (const points::ProcessCounts& process : counts.processes) {
    for (const Work& thread : process.threads) {
      const double work = static_cast<double>(thread.flop_count()) + bytes_or_zero(thread.load_bytes) +
                          bytes_or_zero(thread.store_bytes);
      all += work;
      most = std::max(most, work);
    }
  }
  constexpr double uneven = 1.5;  // a thread that only starts the others does more than they, too
  const double even = point.threads > 0 ? all / point.threads : all;
  if (all <= 0 || (point.threads != 1 && most < uneven * even)) return;
  point.notes.push_back({model::NoteCode::uneven_threads, {100 * most / all}});
}

}  // namespace gable::cli
