#include "model/c2c/matrix.hpp"

#include <limits>
#include <map>
#include <utility>

namespace gable::model {

std::vector<std::vector<double>> c2c_matrix(const std::vector<C2cFigure>& figures, C2cMeasure measure,
                                            const std::vector<PuGroup>& groups) {
  std::map<unsigned, std::size_t> group_of;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const unsigned pu : groups[g]) group_of[pu] = g;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> values;
  for (const C2cFigure& figure : figures) {
    const C2cCase& spec = figure.spec;
    const bool at_first = spec.home == Home::both || spec.home == Home::first;
    if (spec.measure != measure || figure.status != Status::ok || !at_first) continue;
    const auto from = group_of.find(spec.pus.front()), to = group_of.find(spec.pus.back());
    if (from == group_of.end() || to == group_of.end()) continue;
    values[{from->second, to->second}].push_back(figure.estimate.value);
    if (!row_of(measure).has_direction && from->second != to->second)
      values[{to->second, from->second}].push_back(figure.estimate.value);
  }
  std::vector<std::vector<double>> matrix(
      groups.size(), std::vector<double>(groups.size(), std::numeric_limits<double>::quiet_NaN()));
  for (auto& [place, of_pair] : values) matrix[place.first][place.second] = median(std::move(of_pair));
  return matrix;
}

}  // namespace gable::model
