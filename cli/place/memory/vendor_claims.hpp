#pragma once

// Vendors' claims about their memory, from --vendor or a published machine.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

struct VendorClaim {
  std::string tier;            ///< as requested: "NVM", "/mnt/pmem"
  double load = 0, store = 0;  ///< GB/s (1e9 B/s); 0: not given
  std::string option;          ///< its source; empty: published
};

/// Parses options such as "NVM:read=40.8,write=11.1". Throws Error::usage for an invalid one.
std::vector<VendorClaim> vendor_claims(const std::vector<std::string>& options);

/// The claims in `published` of DIR/machine.json, if any. Throws Error::format for a broken file.
std::vector<VendorClaim> published_claims(const std::string& folder);

/// The Error::usage for a claim about an unknown tier.
[[noreturn]] void no_such_tier(const VendorClaim& claim);

/// Sets them in the figures of loads and stores of their tiers, replacing existing claims. Throws
/// Error::usage for an option's tier without figures.
void add_claims(const std::vector<VendorClaim>& claims, std::vector<model::TierFigure>& figures);

}  // namespace gable::cli
