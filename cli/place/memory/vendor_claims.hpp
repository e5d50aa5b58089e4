#pragma once

// What vendors claim of their memory: from --vendor, or from the description of a published machine.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

struct VendorClaim {
  std::string tier;            ///< as it is asked for: "NVM", "/mnt/pmem"
  double load = 0, store = 0;  ///< GB/s (1e9 B/s); 0: not given
  std::string option;          ///< that it comes from; empty: published
};

/// From options such as "NVM:read=40.8,write=11.1". Throws UsageError for one that cannot be understood.
std::vector<VendorClaim> vendor_claims(const std::vector<std::string>& options);

/// Those in `published` of DIR/machine.json; none where it has none. Throws FormatError for a broken file.
std::vector<VendorClaim> published_claims(const std::string& folder);

/// UsageError: the claim is of none of the tiers.
[[noreturn]] void no_such_tier(const VendorClaim& claim);

/// Puts them beside the figures of loads and stores of their tiers, in place of what stands there. Throws
/// UsageError for an option's tier that has no figures.
void add_claims(const std::vector<VendorClaim>& claims, std::vector<model::TierFigure>& figures);

}  // namespace gable::cli
