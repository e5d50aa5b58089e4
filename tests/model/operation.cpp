// What the names of operations and kernels say.

#include "model/records/names.hpp"

#include <gtest/gtest.h>

namespace gable::model {
namespace {

std::string variant_of(const char* kernel) {
  Case spec;
  spec.kernel = kernel;
  return variant_text(spec);
}

TEST(Operation, AVariantIsTheSameOperation) {
  EXPECT_EQ(without_variant("load_short").name(), "load");
  EXPECT_EQ(without_variant("load_halves").name(), "load");
  EXPECT_EQ(without_variant("triad_split").name(), "triad");
  EXPECT_EQ(without_variant("store_nt").name(), "store_nt");
  EXPECT_EQ(variant_of("triad_split_avx512"), "avx512 split");
  EXPECT_EQ(variant_of("load_short_avx2"), "avx2 short");
  EXPECT_EQ(variant_of("store_nt_avx512"), "avx512");
  EXPECT_EQ(variant_of("chase_x86"), "x86");
  EXPECT_EQ(variant_of(""), "");
}

}  // namespace
}  // namespace gable::model
