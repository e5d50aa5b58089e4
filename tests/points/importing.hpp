#pragma once

// The tests of imports share these: damaged files, and the errors that name the damage.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/error.hpp"
#include "points/import/import.hpp"

namespace gable::points::tests {

inline void expect_error(const std::function<void()>& import, const std::string& words) {
  try {
    import();
    ADD_FAILURE() << "imported, without: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace gable::points::tests
