#include "base/error.hpp"
#include "base/files.hpp"
#include "model/json/lines.hpp"
#include "model/records/records.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "tests/model/random_records.hpp"

namespace gable::model {
namespace {

// The error message of reading the line; empty if it is valid.
std::string complaint(const std::string& line) {
  try {
    from_line<Sample>(line, "samples.jsonl:7");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// The line of a simple Sample with one replacement.
std::string broken(const std::string& from, const std::string& to) {
  std::string line = to_line(visit({2, 4}));
  const std::size_t at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return line.replace(at, from.size(), to);
}

TEST(Line, ComesBackAsItWent) {
  Generator random(1);
  for (int i = 0; i < 2000; ++i) {
    const Sample sample = any_sample(random);
    const std::string line = to_line(sample);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(from_line<Sample>(line, "here:1"), sample) << line;
  }
}

TEST(Line, IsWrittenAsTheFormatSays) {
  EXPECT_EQ(
      to_line(visit({2, 4})),
      R"({"schema":1,"asked":{"cluster":0,"kind":"bandwidth","level":"memory","pattern":"local","node":0,)"
      R"("tier":"DRAM","op":"load","kernel":"load_avx2","precision":"","pages":"4k","threads":2,"smt":false,)"
      R"("bytes":1048576,"load_percent":0},"round":0,"status":"ok","reason":"","seconds":[0.5,0.25],)"
      R"("bytes":[1000000000.0,1000000000.0],"disturbed":0,"stopped":"","clock_ghz":0.0,"steal_percent":0.0,)"
      R"("cpus":[],"node_bytes":{},"notes":[],"started":""})");
}

TEST(Line, NamesTheUnitOfTheWork) {
  Sample sample = visit({1});
  sample.spec.node = -1;
  EXPECT_NE(to_line(sample).find("\"node\":null"), std::string::npos);
  sample.spec.kind = Kind::flops;
  EXPECT_NE(to_line(sample).find("\"flops\":[1000000000.0]"), std::string::npos);
  sample.spec.kind = Kind::latency;
  EXPECT_NE(to_line(sample).find("\"accesses\":[1000000000.0]"), std::string::npos);
}

TEST(Line, EveryFaultIsNamed) {
  const std::vector<std::array<std::string, 3>> faults = {
      {"\"schema\":1", "\"schema\":2", "\"schema\" is 2"},
      {"\"schema\":1,", "", "\"schema\" is missing"},
      {"\"round\":0", "\"round\":\"0\"", "\"round\" is \"0\""},
      {"\"round\":0", "\"round\":-1", "\"round\" is -1"},
      {"\"round\":0", "\"round\":1e99", "\"round\" is"},
      {"\"status\":\"ok\"", "\"status\":\"fine\"", "one of ok, skipped, invalid"},
      {"\"status\":\"ok\"", "\"status\":\"skipped\"", "needs a \"reason\""},
      {"\"reason\":\"\"", "\"reason\":\"tired\"", "with a \"reason\""},
      {"\"kind\":\"bandwidth\"", "\"kind\":\"speed\"", "one of bandwidth, flops"},
      {"\"kind\":\"bandwidth\"", "\"kind\":\"flops\"", "\"flops\" is missing"},
      {"\"pattern\":\"local\"", "\"pattern\":\"global\"", "one of cache, local"},
      {"\"node\":0", "\"node\":-1", "\"node\" is -1"},
      {"\"smt\":false", "\"smt\":0", "true or false"},
      {"\"load_percent\":0", "\"load_percent\":101", "from 0 to 100"},
      {"[0.5,0.25]", "[0.5]", "\"seconds\" has 1 entries, \"bytes\" has 2"},
      {"[0.5,0.25]", "[0.5,-0.25]", "\"seconds\" must be above 0"},
      {"[0.5,0.25]", "[0.5,0]", "\"seconds\" must be above 0"},
      {"[0.5,0.25]", "[0.5,1e-200]", "is a rate of"},
      {"[0.5,0.25]", "[0.5,null]", "array of numbers"},
      {"[0.5,0.25]", "[0.5,NaN]", "not JSON from column"},
      {"[0.5,0.25]", "[0.5,1e999]", "not JSON: a number is too large"},
      {"[0.5,0.25]", "0.5", "array of numbers"},
      {"\"node_bytes\":{}", "\"node_bytes\":{\"x\":1}", "names a node \"x\""},
      {"\"node_bytes\":{}", "\"node_bytes\":[]", "an object"},
      {"\"cpus\":[]", "\"cpus\":{}", "CPU numbers"},
      {"\"cpus\":[]", "\"cpus\":[-1]", "CPU numbers"},
      {"\"notes\":[]", "\"notes\":[1]", "must be a sentence, or have"},
      {"\"asked\":{", "\"asked\":[],\"was\":{", "\"asked\" is []"},
  };
  for (const auto& [from, to, expected] : faults) {
    const std::string message = complaint(broken(from, to));
    EXPECT_EQ(message.rfind("samples.jsonl:7: ", 0), 0u) << to << ": " << message;
    EXPECT_NE(message.find(expected), std::string::npos) << to << ": " << message;
    EXPECT_NE(message.find("delete this line"), std::string::npos) << message;
  }
  EXPECT_NE(complaint("").find("empty line"), std::string::npos);
  EXPECT_NE(complaint(to_line(visit({1})) + "\r").find("CR LF"), std::string::npos);
  EXPECT_NE(complaint("[]").find("expected a JSON object"), std::string::npos);
  EXPECT_NE(complaint("null").find("expected a JSON object"), std::string::npos);
}

TEST(Line, NothingUnreadableIsWritten) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Sample sample = visit({2});
  sample.seconds = {nan};
  EXPECT_THROW(to_line(sample), Error);
  sample = visit({2});
  sample.clock_ghz = nan;
  EXPECT_THROW(to_line(sample), Error);
  sample = visit({});
  EXPECT_THROW(to_line(sample), Error);
  sample = visit({2});
  sample.spec.load_percent = 101;
  EXPECT_THROW(to_line(sample), Error);
}

// Any change of a byte gives an error or a valid record, which can be written again.
TEST(Line, SurvivesEveryCorruptByte) {
  Generator random(2);
  for (int record = 0; record < 3; ++record) {
    const std::string line = to_line(any_sample(random));
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_FALSE(complaint(line.substr(0, i)).empty()) << "cut at " << i;
      for (const int bit : {0, 1, 5, 7}) {
        std::string corrupt = line;
        corrupt[i] = static_cast<char>(corrupt[i] ^ (1 << bit));
        if (!complaint(corrupt).empty()) continue;
        EXPECT_NO_THROW(to_line(from_line<Sample>(corrupt, "here:1"))) << corrupt;
      }
    }
  }
}

class SamplesFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("gable_samples_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "samples.jsonl";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string complaint_about(const std::string& text) {
    std::ofstream(path_) << text;
    try {
      read_lines<Sample>(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  std::filesystem::path folder_, path_;
};

TEST_F(SamplesFile, HoldsWhatWasAppended) {
  EXPECT_TRUE(read_lines<Sample>(path_).empty()) << "an absent file has no samples";
  Generator random(3);
  std::vector<Sample> samples;
  for (int i = 0; i < 20; ++i) {
    samples.push_back(any_sample(random));
    append_line(path_, to_line(samples.back()));
  }
  EXPECT_EQ(read_lines<Sample>(path_), samples);
}

TEST_F(SamplesFile, TheFaultyLineIsNamed) {
  const std::string line = to_line(visit({1})) + "\n";
  EXPECT_EQ(complaint_about(line + "{}\n" + line).rfind(path_.string() + ":2: ", 0), 0u);
  EXPECT_EQ(complaint_about(line + "\n" + line).rfind(path_.string() + ":2: an empty line", 0), 0u);
  EXPECT_EQ(complaint_about(line + line + "\n").rfind(path_.string() + ":3: an empty line", 0), 0u);
  for (std::size_t cut = 1; cut < line.size(); ++cut) {
    const std::string message = complaint_about(line + line.substr(0, cut));
    ASSERT_EQ(message.rfind(path_.string() + ":2: the last line is cut off", 0), 0u) << message;
  }
  EXPECT_EQ(complaint_about(line + line), "");
}

TEST(Key, TellsCasesApart) {
  Generator random(4);
  std::set<std::string> keys;
  std::vector<Case> cases;
  for (int i = 0; i < 500; ++i) {
    cases.push_back(any_case(random));
    keys.insert(key(cases.back()));
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(key(cases[i]) == key(cases[j]), cases[i] == cases[j]);
  }
  for (const std::string& text : keys) EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Key, EveryFieldCounts) {
  const Case plain = visit({1}).spec;
  std::vector<Case> others(14, plain);
  others[0].kind = Kind::latency;
  others[1].cluster = 1;
  others[2].level = Level::cache(1);
  others[3].pattern = Pattern::remote;
  others[4].node = 1;
  others[5].tier = Tier::hbm;
  others[6].op = operations::store;
  others[7].kernel = "load_sse2";
  others[8].precision = Precision::dp;
  others[9].pages = *pages_named("2m");
  others[10].threads = 1;
  others[11].smt = true;
  others[12].bytes = 1;
  others[13].load_percent = 50;
  std::set<std::string> keys = {key(plain)};
  for (const Case& other : others) keys.insert(key(other));
  EXPECT_EQ(keys.size(), 15u);
}

TEST(Key, StaysTheSame) {
  EXPECT_EQ(key(visit({1}).spec),
            "kind=bandwidth cluster=0 level=memory pattern=local node=0 tier=DRAM op=load kernel=load_avx2 "
            "precision= "
            "pages=4k threads=2 smt=0 bytes=1048576 load_percent=0");
}

}  // namespace
}  // namespace gable::model
