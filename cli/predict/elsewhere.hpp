#pragma once

// gable predict --profile, and --point --to: the time of a program on machines, from its profile.

#include <optional>
#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "cli/output_file.hpp"
#include "cli/predict/profile_files.hpp"
#include "cli/predict/setting.hpp"
#include "model/predict/forecast.hpp"
#include "model/records/profile.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

/// How to print predictions.
struct PredictOutput {
  bool functions = false, json = false;
  std::string folder;  ///< of the chart; empty: none
  PictureArguments pictures;
};

/// What to predict, and how to print it.
struct ElsewhereArguments {
  std::string profile;                ///< file; empty: that of the point
  std::string folder, point;          ///< of the point that was timed; empty: none
  std::vector<std::string> machines;  ///< folders or published names
  std::vector<std::string> places;    ///< of the data, on the point's own machine: as ProgramUse::memory
  ProgramUse use;
  PredictOutput output;
};

/// A row: a machine, and how the program would use it.
struct PredictedRow {
  std::string machine;
  model::Setting setting;
  model::Forecast forecast;
  std::vector<std::string> notes;  ///< of what differs there
};

/// Everything that is printed.
struct PredictedRows {
  std::string program;  ///< the point's name, or the profile's file
  std::string source;   ///< file of the profile; empty: from the point's own figures
  std::optional<model::Setting> here;
  std::string here_name;
  std::vector<PredictedRow> rows;
  std::vector<std::string> notes;  ///< of the profile
};

/// Whether the program has changed since, as far as it is still there, and what the profile lacks.
std::vector<std::string> remarks_on_profile(const model::Profile& profile);
/// Of a program that was timed nowhere; empty if it touches few pages.
std::string remark_on_kernel(const model::Profile& profile);

/// That the machine has no figures of the pages that `--pages` names; empty: it has, or they are not named.
std::string remark_on_pages(const PredictMachine& machine, const ProgramUse& use);

/// What differs on the machine from where the program was profiled.
std::vector<std::string> remarks_on_machine(const PredictMachine& machine, const model::Profile& profile,
                                            const model::Setting& setting);

/// Prints the predictions, and draws them if there is a folder for it. Throws Error::usage, Error::format.
void predict_elsewhere(const ElsewhereArguments& arguments);

/// The times of a point of this machine with its data in other places, as --to names them. The rows have no
/// longer a machine to refer to. Throws as predict_elsewhere().
PredictedRows predict_places(const PredictMachine& machine, const model::Point& point,
                             const std::vector<std::string>& places, ProfileFiles& files);

/// The same predictions for a page of HTML: a table with notes, and a chart whose name contains the program.
struct ElsewherePage {
  Table table;
  charts::Chart chart;
};
ElsewherePage elsewhere_page(const ElsewhereArguments& arguments, ProfileFiles& files);

/// The prediction for the first machine of the arguments, with all notes. Its setting is without the roofs.
struct PredictedOn : PredictedRow {
  bool is_measured = false;  ///< the program was timed there, with these threads and pages
  std::string timed_on;      ///< the machine where it was timed; empty: nowhere
  double timed_seconds = 0;
};
PredictedOn predicted_on(const ElsewhereArguments& arguments, ProfileFiles& files);

Table elsewhere_table(const PredictedRows& rows);
/// Returns the notes of the profile and of all rows, each sentence once.
std::vector<std::string> elsewhere_notes(const PredictedRows& rows);
std::string elsewhere_text(const PredictedRows& rows, bool functions);
std::string elsewhere_json(const PredictedRows& rows);

}  // namespace gable::cli
