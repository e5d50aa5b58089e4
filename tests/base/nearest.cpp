#include "base/words.hpp"

#include <gtest/gtest.h>

namespace {

using namespace gable;

TEST(Nearest, Distance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("load", "load"), 0u);
  EXPECT_EQ(edit_distance("", "fit"), 3u);
  EXPECT_EQ(edit_distance("fit", ""), 3u);
  EXPECT_EQ(edit_distance("load", "lod"), 1u);
  EXPECT_EQ(edit_distance("load", "laod"), 1u);  // a transposition
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"machine", "measure", "fit", "plot", "point", "predict", "export"};
  EXPECT_EQ(nearest("mesure", names), "measure");
  EXPECT_EQ(nearest("MEASURE", names), "measure");
  EXPECT_EQ(nearest("plto", names), "plot");
  EXPECT_EQ(nearest("fti", names), "fit");
  EXPECT_EQ(nearest("pred", names), "predict");
  EXPECT_EQ(nearest("--point", names), "point");
}

TEST(Nearest, SaysNothingOfOtherWords) {
  const std::vector<std::string> names = {"machine", "measure", "fit", "plot", "point", "predict"};
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("--", names), "");
  EXPECT_EQ(nearest("elephant", names), "");
  EXPECT_EQ(nearest("m", names), "");  // two names begin with it
  EXPECT_EQ(nearest("4q", {"4k", "2m"}), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Nearest, Words) {
  EXPECT_EQ(did_you_mean("lod", {"load", "store"}), "; did you mean 'load'?");
  EXPECT_EQ(did_you_mean("zzz", {"load", "store"}), "");
}

}  // namespace
