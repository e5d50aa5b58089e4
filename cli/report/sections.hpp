#pragma once

// The parts of a report.

#include <string>
#include <vector>

#include "cli/report/report.hpp"
#include "cli/show/recorded.hpp"
#include "model/records/records.hpp"
#include "plots/html/page.hpp"

namespace gable::cli {

/// What matters, on the first screen: sentences, bandwidths and latencies of each memory from each cluster,
/// peaks, and the LARM chart of the first cluster that has one.
std::string first_screen_html(const ReportContent& content);

/// The machine drawn, with what the topology does not tell.
std::string machine_html(const ReportContent& content);

/// Every section below it, also one of which the folder has nothing: it then names the command that makes it.
std::vector<html::Section> report_sections(const ReportContent& content);

/// How the figures were measured, as far as the folder tells: the host and its settings, the visits with what
/// disturbed them, and how figures come about. Throws Error::format.
std::string method_html(const ReportContent& content);

/// A table of all points with their figures, roofs, headroom and causes.
std::string points_html(const ReportContent& content);

/// The times of the folder's points on other machines: a table and a chart for each point that has a profile,
/// or a hint at the command that provides what is missing.
std::string elsewhere_html(const ReportContent& content);

/// Every roof with its interval: a table for each cluster with the best figure of each question, then one
/// with all kernels and page sizes; cache levels; validation.
std::string roofs_html(const ReportContent& content);

/// Managed runs and replays.
std::string kmaf_html(const ReportContent& content);

/// What was skipped or is invalid, by reason, with every case.
std::string missing_html(const ReportContent& content);

/// What the figures of the first screen mean, in two or three sentences: on the best bandwidths, latencies
/// and peaks that gable show shows; `samples`: those of the folder. Empty where none is known.
std::vector<std::string> meaning_of(const ShownFolder& shown, const std::vector<model::Sample>& samples);

/// "Intervals reach ±31.2 % (L1 loads), because there was only 1 round: ...", of the widest interval of the
/// first screen. It names a cause only if the visits of that figure show one. Empty if no interval is wide.
std::string wide_interval_sentence(const ShownFolder& shown, const std::vector<model::Sample>& samples);

}  // namespace gable::cli
