#pragma once

// `--only`: which cells of the plan are wanted.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::bench {

/// Checks filters such as "L1", "op=load,level=memory", "pattern=remote,cluster=0". Each is a list of terms
/// that must all hold; a term is field=value, or a bare value that some field has. Throws
/// std::invalid_argument for an unknown field.
void check_filters(const std::vector<std::string>& filters);

/// Whether the Case satisfies one of the filters (or there is none).
bool wanted(const model::Case& asked, const std::vector<std::string>& filters);

}  // namespace gable::bench
