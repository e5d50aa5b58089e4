// Files that are not topologies: the error names the file, the line and the cause.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "machines/machine.hpp"

namespace {

using namespace gable::machines;

const std::string good = std::string(GABLE_SOURCE_DIR) + "/tests/machines/topologies/four-tiers.xml";

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string message_of(const std::string& path) {
  try {
    from_xml(path);
  } catch (const gable::Error& error) {
    return error.what();
  }
  return "no error";
}

// The message for a file with this content, without the folder's name.
std::string message_for(const std::string& content) {
  gable::TemporaryFolder folder("machines");
  const std::string path = folder.path / "topology.xml";
  std::ofstream(path) << content;
  testing::internal::CaptureStderr();
  const std::string message = message_of(path);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "hwloc spoke for itself";
  EXPECT_TRUE(message.starts_with(path)) << message;
  return message.substr(std::min(message.size(), path.size() - std::string("topology.xml").size()));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(BrokenXml, IsMissing) {
  EXPECT_TRUE(contains(message_of("/no/such/file.xml"), "/no/such/file.xml: cannot be opened"));
  EXPECT_TRUE(contains(message_of("/"), "is a directory"));
}

TEST(BrokenXml, IsEmpty) {
  EXPECT_TRUE(contains(message_for(""), "topology.xml:1: the file is empty"));
  EXPECT_TRUE(contains(message_for("\n\n"), "the file is empty"));
}

TEST(BrokenXml, IsNoXml) {
  EXPECT_TRUE(contains(message_for("{\"schema\": 1}\n"), "topology.xml:1: not XML"));
  EXPECT_TRUE(contains(message_for(std::string("\x7f"
                                               "ELF\0\0<\0",
                                               8)),
                       "topology.xml:1: not XML"));
}

TEST(BrokenXml, IsOtherXml) {
  const std::string message = message_for("<?xml version=\"1.0\"?>\n<html><body/></html>\n");
  EXPECT_TRUE(contains(message, "topology.xml:2: not a hwloc topology: the root element is <html>"))
      << message;
}

TEST(BrokenXml, IsOfALaterVersion) {
  const std::string message =
      message_for("<?xml version=\"1.0\"?>\n\n<topology version=\"3.0\">\n</topology>\n");
  EXPECT_TRUE(contains(message, "topology.xml:3: hwloc XML version 3.0 cannot be read")) << message;
}

TEST(BrokenXml, HasAVersionWithoutAValue) {
  for (const char* tag :
       {"<topology version=>\n", "<topology version=\">\n\">\n", "<topology version='>\n'>\n"})
    EXPECT_TRUE(message_for(std::string(tag) + "</topology>\n").starts_with("topology.xml: ")) << tag;
}

TEST(BrokenXml, HasWrongNesting) {
  const std::string message = message_for("<topology version=\"2.0\">\n<object>\n</topology>\n");
  EXPECT_TRUE(
      contains(message, "topology.xml:3: </topology> has no matching start tag: <object> of line 2 is open"))
      << message;
}

TEST(BrokenXml, HasAnOpenQuote) {
  const std::string message =
      message_for("<topology version=\"2.0\">\n<object type=\"Machine>\n</topology>\n");
  EXPECT_TRUE(contains(message, "topology.xml:2: a tag is not closed")) << message;
}

TEST(BrokenXml, IsWellFormedButNoTopology) {
  EXPECT_TRUE(
      contains(message_for("<topology version=\"2.0\">\n</topology>\n"), "not a topology that hwloc"));
}

TEST(BrokenXml, IsCutAnywhere) {
  const std::string whole = read(good);
  ASSERT_GT(whole.size(), 1000u);
  ASSERT_EQ(message_of(good), "no error");
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    const std::string message = message_for(whole.substr(0, length));
    EXPECT_TRUE(message.starts_with("topology.xml:")) << length << ": " << message;
    const std::string lines = message.substr(std::string("topology.xml:").size());
    EXPECT_GT(std::atoi(lines.c_str()), 0) << length << ": " << message;
  }
}

TEST(BrokenSynthetic, IsNamed) {
  for (const char* description : {"", "nonsense", "numa:0", "core:-3", "core:2 pu:2 core:2", "pack:2("}) {
    testing::internal::CaptureStderr();
    try {
      from_synthetic(description);
      ADD_FAILURE() << description << " was taken";
    } catch (const gable::Error& error) {
      EXPECT_TRUE(contains(error.what(), std::string("\"") + description + "\"")) << error.what();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

}  // namespace
