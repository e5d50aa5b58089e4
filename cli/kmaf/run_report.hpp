#pragma once

// The report of gable kmaf run.

#include <nlohmann/json.hpp>
#include <string>

#include "kmaf/live/report.hpp"

namespace gable::cli {

std::string run_report_text(const kmaf::live::Report& report);
nlohmann::ordered_json run_report_json(const kmaf::live::Report& report);

}  // namespace gable::cli
