#pragma once

// gable kmaf run: a program under a policy, while it runs.

#include <string>

#include "base/json.hpp"
#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/report.hpp"
#include "kmaf/live/run.hpp"

namespace gable::cli {

struct KmafRunArguments {
  kmaf::live::Options live;     ///< command, policy and sampler; the rest is set from the fields below
  std::string overhead = "1%";  ///< share of the CPU time that management may use
  std::string unit = "auto";    ///< of pages: "4k", "2m" or "auto"
  std::string report;           ///< file; empty: standard error
  std::string machine;          ///< recorded folder with figures between cores; empty: none
  std::string learn, knowing;   ///< files; empty: none
  bool threads_only = false;    ///< leave pages to the OS
  bool data_only = false;       ///< leave threads to the OS
  bool json = false;            ///< the report is JSON
};

/// Runs the program and throws Error::program with its exit status, or Error::usage before it runs.
[[noreturn]] void run_managed(KmafRunArguments arguments);

/// The file of --learn and --knowing: a line of JSON for each program, task, pair that shares and page of a
/// run.
std::string knowledge_to_text(const kmaf::Knowledge& knowledge);

/// Throws Error::format that names `path`, the line and the field.
kmaf::Knowledge knowledge_from_text(const std::string& text, const std::string& path);

std::string run_report_text(const kmaf::live::Report& report);
Json run_report_json(const kmaf::live::Report& report);

}  // namespace gable::cli
