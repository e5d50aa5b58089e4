// Profiles that are kept beside points: their names, and how large they are.

#include "cli/points_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "model/json/programs/profile.hpp"
#include "model/profile/bounded.hpp"
#include "model/profile/levels.hpp"

namespace gable::cli {
namespace {

// So many functions, each of which uses an object of its own.
model::Profile profile_of(int functions) {
  model::Profile profile;
  for (int i = 0; i < functions; ++i) {
    const std::string name = "a_function_of_the_program_" + std::to_string(i);
    profile.places.push_back({name, "/usr/bin/app", "", 0});
    profile.functions.push_back({name, "/usr/bin/app", 8, 640, 64});
    profile.objects.push_back({gable::model::ObjectKind::variable,
                               "object_" + std::to_string(i),
                               "/usr/bin/app",
                               {},
                               -1,
                               0,
                               64,
                               0,
                               1});
    profile.accesses.push_back({i, i, 10, 1, 640.0 + i, 64});
    model::ProfileUses uses;
    uses.place = uses.object = i;
    for (int bucket = 0; bucket < 70; ++bucket) uses.own.read[0][bucket] = 1000 + i;
    uses.all = uses.own;
    profile.uses.push_back(uses);
  }
  return profile;
}

double memory_bytes(const model::Profile& profile) {
  return profile_rows(profile, model::ProfileKey::program, {{"cache", 4096, true}})
      .front()
      .behind.front()
      .total();
}

TEST(KeptProfile, IsBoundedAndHasEverySum) {
  const TemporaryFolder folder("kept");
  const model::Profile whole = profile_of(3000);
  ASSERT_GT(model::profile_to_json(whole).size(), most_profile_bytes);
  const std::string path = profile_path(folder.path, keep_profile(folder.path, "app", whole));
  const std::string text = read_whole(path);
  EXPECT_LE(text.size(), most_profile_bytes);
  EXPECT_GT(text.size(), most_profile_bytes / 8) << "not less than there is room for";
  const model::Profile kept = model::profile_from_json(text, path);
  EXPECT_NEAR(memory_bytes(kept), memory_bytes(whole), 1e-6 * memory_bytes(whole));
  EXPECT_EQ(kept.places.back().function, model::other_functions);
}

TEST(KeptProfile, HasANameThatEveryFileSystemTakes) {
  const TemporaryFolder folder("kept");
  const model::Profile profile = profile_of(1);
  for (const auto& [name, file] : std::vector<std::pair<std::string, std::string>>{
           {"cg: spmv", "cg-spmv.profile"},
           {"cg: spmv", "cg-spmv-2.profile"},
           {"../../etc/x", "etc-x.profile"},
           {"µ✓", "point.profile"},
           {std::string(300, 'x'), std::string(60, 'x') + ".profile"}}) {
    EXPECT_EQ(keep_profile(folder.path, name, profile), file);
    EXPECT_TRUE(std::filesystem::exists(folder.path / "profiles" / file));
  }
}

}  // namespace
}  // namespace gable::cli
