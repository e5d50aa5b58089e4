#pragma once

// Changed files, the same for the same seed: bytes, numbers, brackets and lines altered, repeated, dropped
// and taken from another file.

#include <random>
#include <string>
#include <vector>

namespace gable::fuzz {

/// One of `files` with one to eight changes, more often few; the result has at most `most` bytes.
std::string mutant(const std::vector<std::string>& files, std::mt19937_64& random,
                   std::size_t most = 1 << 16);

}  // namespace gable::fuzz
