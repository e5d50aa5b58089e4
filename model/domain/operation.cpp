#include "model/domain/operation.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace gable::model {

namespace {

constexpr std::string_view way_past_caches = "_nt";

struct OperationRow {
  std::string_view name;
  std::optional<double> load_share;  // of loads in its bytes; nothing where it moves none, or not always
  bool is_slow = false;              // arithmetic that is slower than vectors of sums, products and FMAs
};

// The known operations, without those of any mix or way: "mixN_M", "store_clwb", "load_fmaN".
const OperationRow operation_rows[] = {{"load", 1},
                                       {"ddot", 1},
                                       {"store", 0},
                                       {"copy", 1.0 / 2},
                                       {"scale", 1.0 / 2},
                                       {"add", 2.0 / 3},
                                       {"triad", 2.0 / 3},
                                       {"mul", std::nullopt},
                                       {"fma", std::nullopt},
                                       {"chase", std::nullopt},
                                       {"random", std::nullopt},
                                       {"random_apart", std::nullopt},
                                       {"store_apart", std::nullopt},
                                       {"div", std::nullopt, true},
                                       {"sqrt", std::nullopt, true},
                                       {"add_scalar", std::nullopt, true},
                                       {"fma_scalar", std::nullopt, true},
                                       {"div_scalar", std::nullopt, true},
                                       {"sqrt_scalar", std::nullopt, true}};

const OperationRow* row_named(std::string_view name) {
  const auto found = std::ranges::find(operation_rows, name, &OperationRow::name);
  return found == std::end(operation_rows) ? nullptr : found;
}

// The share of loads that a name "mixN_M" states.
std::optional<double> load_share_of_mix(std::string_view name) {
  if (!name.starts_with("mix")) return std::nullopt;
  const char* const end = name.data() + name.size();
  double loads = 0, stores = 0;
  const auto [slash, error] = std::from_chars(name.data() + 3, end, loads);
  if (error != std::errc{} || slash == end || *slash != '_') return std::nullopt;
  if (std::from_chars(slash + 1, end, stores).ec != std::errc{}) return std::nullopt;
  return loads / (loads + stores);
}

}  // namespace

std::optional<double> load_share_of(const Operation& op) {
  std::string_view name = op.name();
  if (is_non_temporal(op)) name.remove_suffix(way_past_caches.size());
  const OperationRow* const row = row_named(name);
  return row != nullptr ? row->load_share : load_share_of_mix(name);
}

bool is_slow(const Operation& op) {
  const OperationRow* const row = row_named(op.name());
  return row != nullptr && row->is_slow;
}

bool is_division(const Operation& op) {
  const Operation plain = without_way(op);
  return plain == operations::div || plain == operations::sqrt;
}

bool is_non_temporal(const Operation& op) {
  return op.name().ends_with(way_past_caches);
}

bool bypasses_caches(const Operation& op) {
  return is_non_temporal(op) && load_share_of(op).value_or(0) < 1;  // non-temporal loads use the caches
}

bool is_pure_traffic(const Operation& op) {
  return op == operations::load || without_way(op) == operations::store || op.name().starts_with("mix");
}

Operation without_way(const Operation& op) {
  return Operation(std::string_view(op.name()).substr(0, op.name().find('_')));
}

Operation without_prefetch(const Operation& op) {
  return Operation(std::string_view(op.name()).substr(0, op.name().find("_prefetch")));
}

Operation without_variant(std::string_view op) {
  for (const Variant& variant : variants) {
    if (op.ends_with(variant.suffix)) op.remove_suffix(variant.suffix.size());
  }
  return Operation(op);
}

std::string in_capitals(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

}  // namespace gable::model
