// Traces survive a round trip, and errors in broken ones name the line.

#include "kmaf/traces/trace.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "random.hpp"

namespace gable::kmaf {
namespace {

namespace fs = std::filesystem;

class TraceTest : public testing::Test {
 protected:
  TraceTest() : folder(fs::temp_directory_path() / ("gable-trace-" + std::to_string(getpid()))) {
    fs::create_directory(folder);
  }
  ~TraceTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) { return folder / name; }
  std::string with_text(const std::string& text) {
    std::ofstream(path("t.csv"), std::ios::binary) << text;
    return path("t.csv");
  }
  static std::vector<Access> read(const std::string& path, bool with_events = false) {
    std::vector<Access> all;
    TraceReader reader(path, with_events);
    for (auto block = reader.next(); !block.empty(); block = reader.next())
      all.insert(all.end(), block.begin(), block.end());
    return all;
  }
  static std::string refusal(const std::string& path) {
    try {
      read(path);
    } catch (const Error& error) {
      return std::string(error.what()).substr(path.size());
    }
    return "";
  }

  fs::path folder;
};

TEST_F(TraceTest, LiteralLines) {
  const std::vector<Access> expected = {{0x7ffd1000, 12, 8, false}, {4096, 3, 64, true}};
  EXPECT_EQ(read(with_text("tid,address,bytes,write\n12,0x7ffd1000,8,0\n3,4096,64,1\n")), expected);
  EXPECT_EQ(read(with_text("12,0x7FFD1000,8,0\r\n 3 , 4096, 64 ,1")), expected)
      << "no header, no last newline";
  EXPECT_EQ(read(with_text("\n12,2147291136,8,0\n\n3,4096,64,1\n\n")).size(), 2u) << "empty lines";
  EXPECT_TRUE(read(with_text("")).empty());
  EXPECT_TRUE(read(with_text("tid,address,bytes,write\n")).empty());
  // These lines have instructions; a line without bytes is an event, which only a reader that wants events
  // sees.
  const std::string text =
      "tid,address,bytes,write,instructions\n1,4096,8,0,7\n1,64,0,0,1\n1,900,0,0,0\n2,64,0,0,4\n";
  EXPECT_EQ(read(with_text(text)), (std::vector<Access>{{4096, 1, 8, false, 7}}));
  EXPECT_EQ(read(with_text(text), true), (std::vector<Access>{{4096, 1, 8, false, 7},
                                                              {64, 1, 0, false, 0, Event::wait},
                                                              {900, 1, 0, false, 0, Event::work},
                                                              {64, 2, 0, false, 0, Event::wake_all}}));
}

// Spreadsheets and editors may leave such marks and separators.
TEST_F(TraceTest, MarksAndOtherSeparators) {
  const std::string lines = "tid,address,bytes,write\n12,4096,8,0\n";
  EXPECT_EQ(read(with_text("\xef\xbb\xbf" + lines)), (std::vector<Access>{{4096, 12, 8, false}}));
  EXPECT_EQ(read(with_text("\xef\xbb\xbf")), std::vector<Access>());
  EXPECT_EQ(refusal(with_text("\xff\xfet")), ":1: the text is UTF-16: save it as UTF-8");
  for (const char* line : {"12;4096;8;0\n", "12\t4096\t8\t0\n"})
    EXPECT_EQ(refusal(with_text(line)), ":1: the fields are separated by commas: tid,address,bytes,write");
}

TEST_F(TraceTest, RoundTripsInBothFormats) {
  test::Random random(11);
  std::vector<Access> accesses;
  for (int i = 0; i < 50000; ++i) {
    accesses.push_back({random.below(std::uint64_t{1} << 63),
                        static_cast<std::uint32_t>(random.below(1u << 31)),
                        static_cast<std::uint32_t>(1 + random.below(1u << 20)), random.chance(50),
                        static_cast<std::uint32_t>(random.below(1024))});
    if (!random.chance(10)) continue;
    accesses.push_back({random.below(std::uint64_t{1} << 63), 7, 0, false, 0,
                        static_cast<Event>(1 + random.below(static_cast<std::uint64_t>(Event::end)))});
  }
  for (const char* name : {"t.csv", "t.trace"}) {
    TraceWriter writer(path(name), trace_format(name));
    for (const Access& access : accesses) writer.write(access);
    writer.finish();
    EXPECT_EQ(read(path(name), true), accesses) << name;
  }
  EXPECT_EQ(fs::file_size(path("t.trace")), 8 + 16 * accesses.size());
}

TEST_F(TraceTest, RefusesByLine) {
  const std::pair<const char*, const char*> rows[] = {
      {"1,2,3\n", ":1: expected four fields"},
      {"1,2,8,0\n1,2,8,0,5,6\n", ":2: expected four fields"},
      {"1,2,8,0,1024\n", ":1: instructions is '1024'"},
      {"1,2,0,0,77\n", ":1: bytes is 0"},
      {"1,2,8,0\n\n1,zwei,8,0\n", ":3: address is 'zwei'"},
      {"1,2,8,2\n", ":1: write is '2'"},
      {"-1,2,8,0\n", ":1: tid is '-1'"},
      {"4294967296,2,8,0\n", ":1: tid is"},
      {"1,2,0,0\n", ":1: bytes is 0"},
      {"1,2,1048577,0\n", ":1: bytes is"},
      {"1,0xffffffffffffffff,8,0\n", ":1: the access goes beyond"},
      {"1,0x,8,0\n", ":1: address is '0x'"},
      {"1,2,8,0\ntid,address,bytes,write\n", ":2: tid is 'tid'"},
      {"1,2,,0\n", ":1: bytes is ''"},
      {"1.5,2,8,0\n", ":1: tid is '1.5'"},
  };
  for (const auto& [text, expected] : rows)
    EXPECT_TRUE(refusal(with_text(text)).starts_with(expected)) << text << refusal(with_text(text));
  EXPECT_NE(refusal(with_text(std::string(1 << 20, '7'))).find("not a trace"), std::string::npos);
  EXPECT_NE(refusal(path("absent.csv")).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(folder), "") << "a folder";
}

TEST_F(TraceTest, RefusesABinaryTraceThatIsCutOff) {
  TraceWriter writer(path("t.trace"), TraceFormat::binary);
  writer.write({4096, 1, 8, true});
  writer.finish();
  fs::resize_file(path("t.trace"), 8 + 15);
  EXPECT_NE(refusal(path("t.trace")).find("truncated"), std::string::npos);
  std::ofstream(path("t.trace"), std::ios::binary) << "GABLETR1" << std::string(16, '\0');
  EXPECT_NE(refusal(path("t.trace")).find("no bytes"), std::string::npos);
  std::ofstream(path("t.trace"), std::ios::binary) << "GABLETR2" << std::string(15, '\0') << '\x7f';
  EXPECT_NE(refusal(path("t.trace")).find("event"), std::string::npos);
}

// Traces of the first version have no instructions.
TEST_F(TraceTest, ReadsTheFirstVersion) {
  const Access access{4096, 1, 8, true};
  const std::uint32_t tid = 1, word = 8 << 1 | 1;
  std::string bytes = "GABLETR1";
  bytes.append(reinterpret_cast<const char*>(&access.address), 8);
  bytes.append(reinterpret_cast<const char*>(&tid), 4).append(reinterpret_cast<const char*>(&word), 4);
  std::ofstream(path("t.trace"), std::ios::binary) << bytes;
  EXPECT_EQ(read(path("t.trace")), std::vector<Access>{access});
}

// Lines of any length across the reader's block boundaries.
TEST_F(TraceTest, LinesAcrossBlocks) {
  test::Random random(12);
  std::vector<Access> expected;
  std::string text;
  while (text.size() < 3 << 20) {
    const std::uint64_t address = random.below(std::uint64_t{1} << (1 + random.below(62)));
    expected.push_back({address, 1, 1, false});
    text += "1," + std::to_string(address) + ",1,0\n";
  }
  EXPECT_EQ(read(with_text(text)), expected);
}

TEST_F(TraceTest, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  TraceWriter writer("/dev/full", TraceFormat::csv);
  EXPECT_THROW(
      {
        for (int i = 0; i < 100000; ++i) writer.write({4096, 1, 8, true});
        writer.finish();
      },
      std::system_error);
}

}  // namespace
}  // namespace gable::kmaf
