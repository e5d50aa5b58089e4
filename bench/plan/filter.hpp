#pragma once

// `--only`: which cells of the plan are selected.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::bench {

/// Checks filters such as "L1", "op=load,level=memory", "pattern=remote,cluster=0". Each is a list of terms
/// that must all hold. A term is field=value, or a value that any field may have. Throws
/// Error::usage for an unknown field.
void check_filters(const std::vector<std::string>& filters);

/// The values of all terms: "load", "L1", "remote".
std::vector<std::string> filter_values(const std::vector<std::string>& filters);

/// Whether the Case satisfies one of the filters, or there is no filter.
bool wanted(const model::Case& spec, const std::vector<std::string>& filters);

}  // namespace gable::bench
