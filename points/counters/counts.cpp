#include "points/counters/counts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <tuple>

#include "base/error.hpp"
#include "points/counters/pmu.hpp"
#include "points/counters/valgrind.hpp"
#include "points/profile/record.hpp"

namespace gable::points {

namespace {

auto sort_of(const Flops& flops) {
  return std::tuple(flops.operation, flops.precision, flops.vector_bits);
}

std::optional<std::uint64_t> sum(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

constexpr Backend all[] = {profile_backend, valgrind_backend, pmu_backend};

constexpr const char* without_counter =
    "give the program's work with --flops and --load-bytes, or mark regions that report it (--counter "
    "marker)";

// Why the counter that was asked for cannot count, and what can.
[[noreturn]] void refuse(const Backend& backend, const std::string& why, bool of_regions) {
  std::string instead = without_counter;
  for (const Backend& backend : all) {
    if (!of_regions && backend.unavailable().empty())
      instead = fmt::format("--counter {} works here", backend.name);
  }
  throw Error::failed(fmt::format("--counter {} does not work here: {}; {}", backend.name, why, instead));
}

}  // namespace

std::string_view name(Flops::Operation operation) {
  static constexpr std::array<std::string_view, 6> names = {"any", "add", "mul", "div", "sqrt", "fma"};
  return names.at(static_cast<std::size_t>(operation));
}

std::string_view name(Flops::Precision precision) {
  static constexpr std::array<std::string_view, 4> names = {"any", "sp", "dp", "x87"};
  return names.at(static_cast<std::size_t>(precision));
}

std::uint64_t Work::flop_count() const {
  std::uint64_t count = 0;
  for (const Flops& sort : flops) count += sort.count;
  return count;
}

Work& Work::operator+=(const Work& other) {
  for (const Flops& more : other.flops) {
    auto place = std::lower_bound(flops.begin(), flops.end(), more,
                                  [](const Flops& a, const Flops& b) { return sort_of(a) < sort_of(b); });
    if (place != flops.end() && sort_of(*place) == sort_of(more)) {
      place->count += more.count;
    } else {
      flops.insert(place, more);
    }
  }
  load_bytes = sum(load_bytes, other.load_bytes);
  store_bytes = sum(store_bytes, other.store_bytes);
  instructions += other.instructions;
  return *this;
}

int working_threads(const std::vector<Work>& threads) {
  constexpr double least = 0.02;
  std::vector<double> amounts;
  for (const Work& work : threads)
    amounts.push_back(
        static_cast<double>(work.flop_count() + work.load_bytes.value_or(0) + work.store_bytes.value_or(0)));
  const double most = amounts.empty() ? 0 : std::ranges::max(amounts);
  return static_cast<int>(std::ranges::count_if(amounts, [&](double of) { return of > least * most; }));
}

std::vector<model::Arithmetic> arithmetic_of(const Work& work) {
  std::vector<model::Arithmetic> all;
  for (const Flops& sort : work.flops) {
    if (sort.count == 0) continue;
    const bool is_x87 = sort.precision == Flops::Precision::x87;
    if (sort.operation == Flops::Operation::any || sort.precision == Flops::Precision::any ||
        (sort.vector_bits == Flops::unknown_bits && !is_x87))
      return {};
    all.push_back({model::Operation(name(sort.operation)),
                   sort.precision == Flops::Precision::sp ? model::Precision::sp : model::Precision::dp,
                   is_x87 ? 0 : sort.vector_bits, static_cast<double>(sort.count)});
  }
  return all;
}

std::span<const Backend> backends() {
  return all;
}

const Backend& choose_backend(const std::string& name, bool of_regions) {
  std::string reasons;
  for (const Backend& backend : all) {
    if (name != "auto" && name != backend.name) continue;
    const std::string why = backend.unavailable();
    if (why.empty()) return backend;
    if (name != "auto") refuse(backend, why, of_regions);
    reasons += fmt::format("\n  {}: {}", backend.name, why);
  }
  throw Error::failed(fmt::format("no counter works here: {}:{}", without_counter, reasons));
}

model::FunctionKey key_of(const FunctionCounts& function) {
  return {function.function, function.object, function.loop};
}

}  // namespace gable::points
