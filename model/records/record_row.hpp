#pragma once

// The fields of a record (model/records/fields.hpp) as the cells of a row.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// The names of the fields of every Roof, those of its Case first.
const std::vector<std::string>& roof_columns();

/// A cell for each of them; empty where the Roof does not have the field.
gable::Row roof_row(const Roof& roof);

}  // namespace gable::model
