#pragma once

// What the visits to a single run amount to, and how that is told.

#include <map>
#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

struct SingleFigure {
  model::Roof roof;                 ///< the best of all ISAs and variants
  std::vector<model::Roof> others;  ///< those of the others, as far as there are
  model::Sample seen;  ///< of all valid visits together: CPUs, pages, clock, steal, notes, disturbed
  int ok_visits = 0;
  std::map<std::string, int> spoilt;  ///< visits by the reason that made them invalid or skipped them
};

/// The same arithmetic as that of the roofs. `samples` are of one operation on one working set and not empty.
SingleFigure single_figure(std::vector<model::Sample> samples);

/// A few lines; empty where there is no figure.
std::string single_text(const SingleFigure& figure);

/// A JSON object with a line feed at its end, with or without a figure.
std::string single_json(const SingleFigure& figure);

}  // namespace gable::cli
