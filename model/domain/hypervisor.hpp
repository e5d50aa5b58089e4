#pragma once

// Whether a hypervisor runs below the system. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class Hypervisor { unknown, none, virtualizes, emulates };

struct HypervisorRow {
  Hypervisor value;
  std::string_view name;
};
inline constexpr HypervisorRow hypervisor_rows[] = {
    {Hypervisor::unknown, ""},
    {Hypervisor::none, "none"},
    {Hypervisor::virtualizes, "virtualizes"},
    {Hypervisor::emulates, "emulates"},  // it interprets every instruction
};
static_assert(is_in_order(hypervisor_rows));
constexpr std::span<const HypervisorRow> table(Hypervisor) {
  return hypervisor_rows;
}

}  // namespace gable::model
