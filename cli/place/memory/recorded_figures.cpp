#include "cli/place/memory/recorded_figures.hpp"

#include <filesystem>

#include "cli/folder.hpp"
#include "cli/place/memory/vendor_claims.hpp"
#include "model/json/tiers.hpp"

namespace gable::cli {

std::vector<model::TierFigure> recorded_figures(const std::string& folder) {
  const std::string path = file_in(folder, "tiers.jsonl");
  std::vector<model::TierFigure> figures = model::tier_figures(model::read_tier_samples(path));
  if (figures.empty() && std::filesystem::exists(file_in(folder, "roofs.json"))) {
    figures = model::published_figures(roofs_of(folder));
    add_claims(published_claims(folder), figures);
  }
  return figures;
}

}  // namespace gable::cli
