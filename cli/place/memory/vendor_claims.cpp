#include "cli/place/memory/vendor_claims.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "cli/recorded_machine.hpp"

namespace gable::cli {

namespace {

// "read=40.8,write=11.1" of one tier.
void take(const std::string& text, VendorClaim& claim) {
  const auto wrong = [&] {
    throw Error::usage(fmt::format(
        "--vendor {}: give TIER:read=GB/s,write=GB/s, such as NVM:read=40.8,write=11.1", claim.option));
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) wrong();
    const std::string what = part.substr(0, equals);
    const double value = read_as<double>(std::string_view(part).substr(equals + 1)).value_or(0);
    if (!(value > 0) || value > 1e6 || (what != "read" && what != "write")) wrong();
    (what == "read" ? claim.load : claim.store) = value;
    begin = end + 1;
  }
}

}  // namespace

std::vector<VendorClaim> vendor_claims(const std::vector<std::string>& options) {
  std::vector<VendorClaim> claims;
  for (const std::string& option : options) {
    const std::size_t colon = option.rfind(':');
    VendorClaim claim{option.substr(0, std::min(colon, option.size())), 0, 0, option};
    take(colon == std::string::npos ? "" : option.substr(colon + 1), claim);
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::vector<VendorClaim> published_claims(const std::string& folder) {
  std::vector<VendorClaim> claims;
  const std::optional<RecordedMachine> machine = recorded_machine(folder);
  if (!machine) return claims;
  for (const RecordedMachine::Claim& published : machine->claims) {
    VendorClaim& claim = claims.emplace_back();
    claim.tier = published.tier;
    (published.op == model::operations::load ? claim.load : claim.store) = published.gb_per_s;
  }
  return claims;
}

void no_such_tier(const VendorClaim& claim) {
  throw Error::usage(fmt::format("--vendor {}: '{}' is not one of the tiers", claim.option, claim.tier));
}

void add_claims(const std::vector<VendorClaim>& claims, std::vector<model::TierFigure>& figures) {
  for (const VendorClaim& claim : claims) {
    bool any = false;
    for (model::TierFigure& figure : figures) {
      if (figure.spec.tier != claim.tier) continue;
      any = true;
      if (is_load(figure.spec) && claim.load > 0) figure.vendor_gb_per_s = claim.load;
      if (is_store(figure.spec) && claim.store > 0) figure.vendor_gb_per_s = claim.store;
    }
    if (!any && !claim.option.empty()) no_such_tier(claim);
  }
}

}  // namespace gable::cli
