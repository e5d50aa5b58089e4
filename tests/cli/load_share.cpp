// The share of loads from an operation's name, compared with the counts of the assembler.

#include <gtest/gtest.h>

#include "kernels/kernel.hpp"
#include "model/domain/operation.hpp"

namespace {

TEST(LoadShare, IsThatOfTheKernels) {
  int streaming = 0;
  for (const gable::kernels::Kernel& kernel : gable::kernels::all()) {
    const std::string op(kernel.op);
    const auto told = gable::model::load_share_of(gable::model::Operation(op));
    if (!told) continue;
    ASSERT_GT(kernel.load_bytes + kernel.store_bytes, 0u) << op;
    EXPECT_DOUBLE_EQ(*told, kernel.load_bytes / double(kernel.load_bytes + kernel.store_bytes)) << op;
    ++streaming;
  }
  EXPECT_GT(streaming, 20);
  for (const char* op : {"fma", "chase", "mix", "mix1", "mix1_", "mixa_b", ""})
    EXPECT_FALSE(gable::model::load_share_of(gable::model::Operation(op))) << op;
}

// Stores with non-temporal instructions go past the caches; loads of either kind leave their data in caches.
TEST(LoadShare, StoresThatGoPastCachesAreKnownByName) {
  for (const gable::kernels::Kernel& kernel : gable::kernels::all()) {
    const std::string op(kernel.op);
    if (!gable::model::load_share_of(gable::model::Operation(op))) continue;
    EXPECT_EQ(gable::model::bypasses_caches(gable::model::Operation(op)),
              op.ends_with("_nt") && kernel.store_bytes > 0)
        << op;
  }
}

}  // namespace
