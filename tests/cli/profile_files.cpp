// Profiles of points: several points may share a file, and none changes what the next one gets.

#include "cli/predict/profile_files.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "cli/points_file.hpp"
#include "model/json/programs/profile.hpp"

namespace gable::cli {
namespace {

model::Profile older_profile() {
  model::Profile profile;
  profile.build = "b1";
  profile.places.push_back({"f", "/usr/bin/app", "", 0});
  profile.functions.push_back({"f", "/usr/bin/app", 1000, 6400, 640});
  profile.objects.push_back({model::ObjectKind::variable, "a", "/usr/bin/app", {}, -1, 0, 64, 0, 1});
  model::ProfileUses uses;
  uses.own.read[0][9] = 100;
  uses.all = uses.own;
  profile.uses.push_back(uses);
  return profile;
}

model::Point point_of(const std::string& name, const std::string& file, const std::string& build) {
  model::Point point;
  point.name = name;
  point.profile = file;
  point.build = build;
  point.flops = 1000;
  point.load_bytes = 6400;
  point.store_bytes = 640;
  return point;
}

TEST(ProfileFiles, AreReadOnceForPointsThatShareThem) {
  const TemporaryFolder folder("files");
  const std::string file = keep_profile(folder.path, "app", older_profile());
  ProfileFiles files;
  const std::string path = profile_path(folder.path, file);
  const auto first = files.read(path);
  write_whole(path, "broken");
  EXPECT_EQ(files.read(path), first);
  EXPECT_THROW(ProfileFiles().read(path), Error);
  const std::string other = profile_path(folder.path, keep_profile(folder.path, "other", older_profile()));
  EXPECT_EQ(*files.read(other), *first);
  EXPECT_THROW(files.read(path), Error) << "the file is another one by now";
  EXPECT_THROW(files.read(path), Error) << "its error is kept";
}

TEST(ProfileFiles, GiveEachPointItsOwnArithmetic) {
  const TemporaryFolder folder("files");
  const std::string file = keep_profile(folder.path, "app", older_profile());
  model::Point adds = point_of("adds", file, "b1"), divides = point_of("divides", file, "b1");
  adds.arithmetic = {{model::operations::add, model::Precision::dp, 128, 1000}};
  divides.arithmetic = {{model::operations::div, model::Precision::dp, 0, 1000}};
  ProfileFiles files;
  for (const model::Point* point : {&adds, &divides})
    EXPECT_EQ(files.of_point(folder.path, *point)->functions.front().arithmetic, point->arithmetic);
  EXPECT_TRUE(files.read(profile_path(folder.path, file))->functions.front().arithmetic.empty());
}

TEST(ProfileFiles, RefuseAnotherProgramsPointAlone) {
  const TemporaryFolder folder("files");
  const std::string file = keep_profile(folder.path, "app", older_profile());
  ProfileFiles files;
  EXPECT_THROW(files.of_point(folder.path, point_of("app", file, "b2")), Error);
  EXPECT_NO_THROW(files.of_point(folder.path, point_of("app", file, "b1")));
  model::Point more = point_of("app", file, "b1");
  more.load_bytes *= 2;
  EXPECT_THROW(files.of_point(folder.path, more), Error) << "it loads more than the profile's program";
}

}  // namespace
}  // namespace gable::cli
