#pragma once

// Figures of gable compare that only one folder has.

#include <string>

#include "base/tables/table.hpp"
#include "cli/compare/compared.hpp"

namespace gable::cli {

/// Why the figure has no counterpart: "invalid in B: a neighbour kept 1.5 CPUs busy". `number`: of the
/// Versus.
std::string lone_reason(const Compared& compared, std::size_t number, const model::Lone& lone);

/// Figures without a counterpart by their reasons; `all` names each of them.
Table lone_table(const Compared& compared, bool all);

/// The same for a screen, on which its last column has no room.
std::string lone_text(const Table& table);

}  // namespace gable::cli
