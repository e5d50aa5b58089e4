#pragma once

// The report of gable kmaf run.

#include <string>

#include "base/json.hpp"
#include "kmaf/live/report.hpp"

namespace gable::cli {

std::string run_report_text(const kmaf::live::Report& report);
Json run_report_json(const kmaf::live::Report& report);

}  // namespace gable::cli
