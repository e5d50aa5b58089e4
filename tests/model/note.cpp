// Notes: their sentences, many as one, and their form in files.

#include "model/records/note.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/json/visits/note.hpp"

namespace gable::model {
namespace {

TEST(Note, HasASentence) {
  EXPECT_EQ(sentence(Note(NoteCode::others_busy, {1.25})), "other processes kept 1.2 CPUs busy");
  EXPECT_EQ(sentence(Note(NoteCode::thread_moved, {3.0, 12.0})), "the thread of CPU 3 ran on CPU 12");
  EXPECT_EQ(sentence(Note("as the {} system says")), "as the {} system says");
  EXPECT_EQ(sentence(Note()), "");
  EXPECT_TRUE(Note("").empty());
}

std::string together(const std::vector<Note>& notes) {
  AlikeNotes alike;
  for (const Note& note : notes) alike.add(note);
  EXPECT_EQ(alike.count(), static_cast<int>(notes.size()));
  return alike.text();
}

TEST(AlikeNotes, HaveTheRangeOfAmountsAndEveryNumberOfAThing) {
  EXPECT_EQ(together({{NoteCode::others_busy, {1.9}}, {NoteCode::others_busy, {0.4}}}),
            "other processes kept 0.4 to 1.9 CPUs busy");
  EXPECT_EQ(together({{NoteCode::others_busy, {1.91}}, {NoteCode::others_busy, {1.92}}}),
            "other processes kept 1.9 CPUs busy");
  std::vector<Note> moved;
  for (const double cpu : {0, 3, 5, 6, 7, 8}) moved.push_back({NoteCode::thread_moved, {cpu, 1.0}});
  EXPECT_EQ(together(moved), "the thread of CPU 0, 3 or 5-8 ran on CPU 1");
  EXPECT_EQ(together({{NoteCode::small_set, {"node 0", 1048576.0, 2097152.0}}}),
            "limited by node 0: 1 MiB per cluster instead of the default working set of 2 MiB");
}

TEST(AlikeNotes, AreToldApartByCodeAndWords) {
  NotesByKind notes;
  for (const char* node : {"cluster 0, node 1", "cluster 0, node 2"})
    for (int i = 0; i < 2; ++i) add_alike(notes, "", {NoteCode::like_spots, {node}});
  add_alike(notes, "", {NoteCode::like_unknown, {"cluster 0, node 1"}});
  add_alike(notes, "elsewhere", {NoteCode::like_unknown, {"cluster 0, node 1"}});
  EXPECT_EQ(notes.size(), 4u);
}

// Every code has its own name and a sentence whose arguments are known.
TEST(NoteCode, NamesAreDifferent) {
  std::set<std::string> names;
  for (const NoteRow& row : note_rows) EXPECT_TRUE(names.emplace(row.name).second) << row.name;
}

Note back(const std::string& json) {
  const Json object = Json::parse("{\"note\":" + json + "}");
  return note_from(Fields(object, "file:1"), "note");
}

TEST(NoteFile, HasCodeAndArguments) {
  const Note note = {NoteCode::small_set, {"node 0", 1048576.0, 2097152.0}};
  const Json out = note;
  EXPECT_EQ(out.dump(), R"({"code":"small_set","arguments":["node 0",1048576.0,2097152.0]})");
  EXPECT_EQ(back(out.dump()), note);
}

TEST(NoteFile, OldFilesHaveSentences) {
  EXPECT_EQ(back("\"the thread of CPU 0 ran on CPU 1\""), Note(NoteCode::thread_moved, {0.0, 1.0}));
  EXPECT_EQ(back("\"limited by node 0: 1 MiB per cluster instead of the default working set of 2 MiB\""),
            Note(NoteCode::small_set, {"node 0", "1 MiB", "2 MiB"}));
  EXPECT_EQ(back("\"not enough free memory: 3 % of the buffers would fit\""),
            Note(NoteCode::little_memory, {"", 3.0}));
  for (const char* const text : {"the thread of CPU 0 ran", "the thread of CPU x ran on CPU 1", "a: b",
                                 "the thread of CPU 00 ran on CPU 1", "other processes kept 1.25 CPUs busy"})
    EXPECT_EQ(back(Json(text).dump()), Note(text)) << "it would be shown in other words";
  EXPECT_TRUE(back("\"\"").empty());
  EXPECT_EQ(Json(Note("as it is")).dump(), "\"as it is\"");
}

// Whatever the code, its sentence is shown as it is, from a file with codes and from one without.
TEST(NoteFile, EverySentenceIsShownAsItWasWritten) {
  for (const NoteRow& row : note_rows) {
    Note note(row.value);
    for (std::size_t open = row.words.find('{'); open != row.words.npos; open = row.words.find('{', open + 1))
      note.arguments.push_back(row.words[open + 1] == '}' ? NoteArgument("one") : NoteArgument(3.0));
    EXPECT_TRUE(is_complete(note)) << row.name;
    EXPECT_EQ(back(Json(note).dump()), note) << row.name;
    EXPECT_EQ(sentence(back(Json(sentence(note)).dump())), sentence(note)) << row.name;
  }
}

TEST(NoteFile, WhatIsNoNoteIsRefused) {
  for (const char* const wrong :
       {"1", "[]", "{}", R"({"code":"stalled"})", R"({"code":"no such","arguments":[]})",
        R"({"code":"stalled","arguments":[[]]})", R"({"code":"stalled","arguments":[1,2]})",
        R"({"code":"stalled","arguments":[1,2,"3"]})", R"({"code":"spot_of","arguments":[1]})",
        "\"a\\u0007b\""})
    EXPECT_THROW(back(wrong), Error) << wrong;
}

}  // namespace
}  // namespace gable::model
