#pragma once

// Whether something was measured: skipped and invalid are results with a reason.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class Status { ok, skipped, invalid };

struct StatusRow {
  Status value;
  std::string_view name;
};
inline constexpr StatusRow status_rows[] = {
    {Status::ok, "ok"}, {Status::skipped, "skipped"}, {Status::invalid, "invalid"}};
static_assert(is_in_order(status_rows));
constexpr std::span<const StatusRow> table(Status) {
  return status_rows;
}

}  // namespace gable::model
