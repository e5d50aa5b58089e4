// Objects of a profile have the names by which a programmer knows them.

#include <gtest/gtest.h>

#include "model/profile/levels.hpp"
#include "model/records/profile.hpp"

namespace gable::model {
namespace {

TEST(Profile, ObjectsHaveTheNameOfTheirVariable) {
  ProfileObject allocated, table;
  allocated.name = "p";
  allocated.callers = {{"malloc", "/lib/libc.so.6", "", 0, 9}, {"main", "/app", "a.c", 5, 77}};
  allocated.asker = 1;
  table.kind = ObjectKind::variable;
  table.name = "table";
  EXPECT_EQ(object_name(allocated), "p (a.c:5)");
  EXPECT_EQ(object_name(table), "table");
  ProfileObject stripped;
  stripped.callers = {{"malloc", "/lib/libc.so.6", "", 0, 9}, {"", "/bin/gzip", "", 0, 0x4290}};
  stripped.asker = 1;
  EXPECT_EQ(object_name(stripped), "gzip+0x4290") << "no symbol, no word for it";
}

// Of objects of one name, those that live at the same time add up.
TEST(Profile, ObjectsOfOneNameHaveTheirPeakAndTheirLivesTogether) {
  Profile profile;
  profile.places = {{"main", "/app", "", 0}};
  profile.objects = {{ObjectKind::variable, "a", "/app", {}, -1, 1, 100, 0.1, 0.5},
                     {ObjectKind::variable, "a", "/app", {}, -1, 4, 30, 0.2, 0.6},
                     {ObjectKind::variable, "a", "/app", {}, -1, 2, 60, 0.5, 0.9}};
  profile.accesses = {{0, 0, 1, 0, 8, 0}, {0, 1, 1, 0, 8, 0}, {0, 2, 1, 0, 8, 0}};
  const std::vector<ProfileRow> rows = profile_rows(profile, ProfileKey::object, {{"L1", 512, false}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].peak_bytes, 130u);
  EXPECT_EQ(rows[0].blocks, 7u);
  EXPECT_EQ(rows[0].born, 0.1) << "the first of them";
  EXPECT_EQ(rows[0].died, 0.9) << "the last of them";
}

bool has_no_names(const std::vector<ProfileObject*>&) {
  return false;
}

// The program's own function `make` allocates for two callers.
TEST(Profile, ArraysFromAnAllocatorOfTheProgramAreNamedAfterItsCallers) {
  const ProfileCaller malloc{"malloc", "/lib/libc.so.6", "", 0, 9}, make{"make", "/app", "make.c", 3, 20};
  const ProfileCaller first{"main", "/app", "a.c", 5, 70}, second{"main", "/app", "a.c", 6, 80};
  std::vector<ProfileObject> objects(3);
  objects[0].callers = {malloc, make, first};
  objects[1].callers = {malloc, make, second};
  objects[2].callers = {malloc, second};
  find_askers(objects, has_no_names);
  EXPECT_EQ(object_name(objects[0]), "main (a.c:5)");
  EXPECT_EQ(object_name(objects[1]), "main (a.c:6)");
  EXPECT_EQ(object_name(objects[2]), "main (a.c:6)");
  objects.resize(1);
  find_askers(objects, has_no_names);
  EXPECT_EQ(object_name(objects[0]), "make (make.c:3)");
}

// Two arrays of one line have the same callers, whose code differs where the compiler has put one into
// another.
TEST(Profile, ArraysOfALineStayThereIfItNamesThem) {
  const ProfileCaller one{"MAIN__", "/app", "a.f90", 8, 20}, other{"MAIN__", "/app", "a.f90", 8, 30};
  std::vector<ProfileObject> objects(2);
  objects[0].callers = {one, {"main", "/app", "a.f90", 5, 20}};
  objects[1].callers = {other, {"main", "/app", "a.f90", 5, 30}};
  find_askers(objects, [](const auto& sharing) { return sharing.size() == 2; });
  EXPECT_EQ(object_name(objects[0]), "MAIN__ (a.f90:8)");
  EXPECT_EQ(object_name(objects[1]), "MAIN__ (a.f90:8)");
}

TEST(Profile, ArraysFromAnAllocatorOfALibraryAreNamedAfterItsCallers) {
  ProfileObject object;
  object.callers = {{"malloc", "/lib/libc.so.6", "", 0, 9},
                    {"fftw_malloc", "/lib/libfftw3.so.3", "", 0, 5},
                    {"main", "/app", "a.c", 5, 70}};
  std::vector<ProfileObject> objects = {object};
  find_askers(objects, has_no_names);
  EXPECT_EQ(object_name(objects[0]), "main (a.c:5)");
  objects[0].kind = ObjectKind::file;
  objects[0].image = "/data/graph.bin";
  EXPECT_EQ(object_name(objects[0]), "main (a.c:5) of graph.bin");
  objects[0].asker = -1;
  EXPECT_EQ(object_name(objects[0]), "graph.bin");
}

}  // namespace
}  // namespace gable::model
