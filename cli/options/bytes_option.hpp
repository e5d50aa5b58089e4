#pragma once

// Options that take an amount of bytes, read by bytes_from.

#include <CLI/CLI.hpp>

namespace gable::cli {

/// A transform of CLI::Option for an amount, which may have a fraction.
CLI::Validator amount_of_bytes();

/// A transform of CLI::Option for a size, rounded to a whole number of bytes; from 1 to 2^63.
CLI::Validator size_in_bytes();

}  // namespace gable::cli
