#include "base/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gable {
namespace {

TEST(Pages, NamesAndSizes) {
  for (const auto& [name, bytes] : {std::pair{"4k", 4096ull},
                                    {"16k", 16ull << 10},
                                    {"64k", 64ull << 10},
                                    {"2m", 2ull << 20},
                                    {"32m", 32ull << 20},
                                    {"512m", 512ull << 20},
                                    {"1g", 1ull << 30},
                                    {"16g", 16ull << 30}}) {
    EXPECT_EQ(page_size_bytes(name), bytes) << name;
    EXPECT_EQ(page_size_name(bytes), name);
  }
  for (const char* no_name : {"", "k", "4", "4kb", "-4k", "4 k", "4t", "99999999999999999999k", "2048k"})
    EXPECT_EQ(page_size_bytes(no_name), 0u) << no_name;
}

TEST(Pages, ThoseOfThisSystem) {
  EXPECT_EQ(page_names().front(), page_size_name(small_page()));
  const auto names = page_names();
  EXPECT_NE(std::find(names.begin(), names.end(), page_size_name(huge_page())), names.end());
}

}  // namespace
}  // namespace gable
