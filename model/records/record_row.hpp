#pragma once

// This file makes a row of a table from the fields of a record (model/records/fields.hpp).

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// The names of the fields of every Roof, those of its Case first.
const std::vector<std::string>& roof_columns();

/// Returns a cell for each of them, which is empty if the Roof does not have the field.
gable::Row roof_row(const Roof& roof);

}  // namespace gable::model
