#pragma once

// How it was found out which memories a program accesses. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class AccessSource { none, given, profile, samples, replay };

struct AccessSourceRow {
  AccessSource value;
  std::string_view name;
  std::string_view words;  ///< of accesses, on a screen
};
inline constexpr AccessSourceRow access_source_rows[] = {
    {AccessSource::none, "", "not known"},
    {AccessSource::given, "given", "as given"},
    {AccessSource::profile, "profile", "by its profile and the location of its objects"},
    {AccessSource::samples, "samples", "by samples"},
    {AccessSource::replay, "replay", "by the replay"},
};
static_assert(is_in_order(access_source_rows));
constexpr std::span<const AccessSourceRow> table(AccessSource) {
  return access_source_rows;
}

}  // namespace gable::model
