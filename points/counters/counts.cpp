#include "points/counters/counts.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace gable::points {

namespace {

auto sort_of(const Flops& flops) {
  return std::tuple(flops.operation, flops.precision, flops.vector_bits);
}

std::optional<std::uint64_t> sum(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
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

}  // namespace gable::points
