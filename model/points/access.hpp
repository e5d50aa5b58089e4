#pragma once

// Which memories a Point accesses, and how often: its accesses where they are known, else the shares of its
// pages.

#include <map>
#include <string>

#include "model/records/point.hpp"

namespace gable::model {

/// What is loaded from a memory and stored to it, as shares of all bytes.
struct LoadStore {
  double load = 0, store = 0;
  double sum() const { return load + store; }
};

/// The most bytes that accesses to memory can have: instructions that request 4 bytes or more each (8 of
/// double precision) access a line of 64 bytes at most. A load or store may fetch its line, and a store alone
/// makes it be written.
LoadStore most_of_memory(const Point& point);

/// Makes the Point's accesses unknown.
void forget_access(Point& point);

/// Why the Point cannot have these accesses, with the field: a node twice, no bytes, more than its
/// instructions or its memory level have, another cluster than its own. Empty: it can.
std::string wrong_access(const Point& point);

/// The nodes' shares of the bytes that the Point's threads access in memory; of its resident bytes where
/// accesses are not known. Shares under 2 % (code, stacks, buffers of libraries) are left out, and the rest
/// is scaled to a sum of 1. Empty: unknown.
std::map<int, double> node_shares(const Point& point);

/// The number of `samples` that tell the nodes' shares, and the largest error of a share in points: "by 194
/// samples, each ± 7 %". `samples` must be above 0.
std::string samples_text(const std::map<int, double>& shares, double samples);
/// How the accesses were found out, with the number of samples where it is known.
std::string access_source_text(const Point& point);
/// Whether the Point's samples are too few for a verdict: the share of a node may be off by more than
/// `most_share_error`.
bool has_few_samples(const Point& point);
/// The sentence that says so in a verdict.
Note few_samples_note(const Point& point);
/// If each of two memories has half of the accesses, an error of 10 points changes the time of a memory by
/// 20 %. So much is left above `bound_from_percent`.
inline constexpr double most_share_error = 0.1;

/// The share of loads in the Point's accesses to memory; where these are not known, in the bytes of its
/// instructions.
double memory_load_share(const Point& point);

/// The loads and stores of the Point if it had the nodes' `shares`: of its accesses where these are their
/// shares, otherwise with the same share of loads on every node.
std::map<int, LoadStore> memory_mix(const Point& point, const std::map<int, double>& shares);

}  // namespace gable::model
