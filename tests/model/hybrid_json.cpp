#include "model/json/hybrid.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/model/grids.hpp"

namespace gable::model {
namespace {

Hybrid any_hybrid() {
  HybridPair measured;
  measured.cluster = 1;
  measured.slow = {0, Tier::dram};
  measured.fast = {4, Tier::hbm};
  measured.cells = grid(equation5, {{35.7, 27.1, 81.3, 60.9}}, skylake_theta, 6, 0.01, 3);
  measured.fit = fit_hybrid(measured.cells);
  HybridPair skipped;
  skipped.slow = skipped.fast = {2, Tier::cxl};
  skipped.status = Status::skipped;
  skipped.reason = Note("one \"memory\" only");
  HybridPair published;
  published.source = "table 6";
  published.fit.model(Law::equation5).theta[Transfer::lf][Transfer::ss] = {-0.102, {}, {}};
  published.fit.bandwidths[Transfer::ls] = {Estimate{10, 10, 10, 0}, {}};
  published.fit.bandwidths[Transfer::ss].reason = Note("not published");
  return {{measured, skipped, published}, {}};
}

// A file that is older than a law has no fit of it, with a reason.
TEST(HybridFile, AnAbsentLawIsNotFitted) {
  const std::string text = hybrid_to_json(any_hybrid());
  std::string older = text;
  for (std::size_t at = older.find(",\"turnaround\":"); at != std::string::npos;
       at = older.find(",\"turnaround\":"))
    older.erase(at, older.find(",\"better\"", at) - at);
  const HybridPair pair = hybrid_from_json(older, "hybrid.json").pairs[0];
  EXPECT_TRUE(pair.fit.model(Law::phased).errors.held_out_rms_percent);
  EXPECT_FALSE(pair.fit.model(Law::turnaround).errors.held_out_rms_percent);
  EXPECT_EQ(sentence(pair.fit.model(Law::turnaround).terms[Term::contention].reason),
            "hybrid.json has no fit of this law");
}

std::string error_of(const std::string& text) {
  try {
    hybrid_from_json(text, "hybrid.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(HybridFile, ComesBackAsItWent) {
  const Hybrid hybrid = any_hybrid();
  const std::string text = hybrid_to_json(hybrid);
  const Hybrid back = hybrid_from_json(text, "hybrid.json");
  EXPECT_EQ(hybrid_to_json(back), text);
  ASSERT_EQ(back.pairs.size(), 3u);
  const HybridPair& pair = back.pairs[0];
  EXPECT_EQ(pair.cells, hybrid.pairs[0].cells);
  EXPECT_EQ(pair.fast, hybrid.pairs[0].fast);
  EXPECT_EQ(pair.fit.best, hybrid.pairs[0].fit.best);
  for (const Law law : laws) {
    const HybridModel &found = pair.fit.model(law), &wanted = hybrid.pairs[0].fit.model(law);
    EXPECT_EQ(found.covariance, wanted.covariance) << name_of(law);
    EXPECT_EQ(found.errors, wanted.errors);
    for (const Term term : terms) EXPECT_EQ(found.terms[term].value, wanted.terms[term].value);
  }
  EXPECT_EQ(sentence(back.pairs[1].reason), "one \"memory\" only");
  EXPECT_EQ(back.pairs[2].fit.model(Law::equation5).theta[Transfer::lf][Transfer::ss].value, -0.102);
  EXPECT_FALSE(back.pairs[2].fit.model(Law::equation5).covariance);
  EXPECT_EQ(hybrid_to_json(hybrid_from_json(hybrid_to_json({}), "hybrid.json")), hybrid_to_json({}));
}

TEST(HybridFile, TheFaultyLineIsNamed) {
  const std::string text = hybrid_to_json(any_hybrid());
  EXPECT_TRUE(error_of(text).empty());
  const auto expect = [&](const std::string& from, const std::string& to, const std::string& error) {
    EXPECT_NE(error_of(replaced(text, from, to)).find(error), std::string::npos)
        << error_of(replaced(text, from, to));
  };
  expect("\"schema\":1", "\"schema\":7", "hybrid.json:1: \"schema\" is 7");
  expect("\"cluster\":1", "\"cluster\":-1", "hybrid.json:3: pairs[0]: \"cluster\" is -1");
  expect("\"status\":\"skipped\"", "\"status\":\"good\"", "pairs[1]: \"status\" is \"good\"");
  expect("\"tier\":\"HBM\"", "\"tier\":4", "pairs[0]: \"tier\" is 4");
  expect("{\"lf\":", "{\"lx\":", "\"lf\" is missing");
  expect("\"lo\":", "\"lo\":9", "pairs[0]: cells[0]: \"seconds\" must be above 0 and between");
  expect("\"covariance\":[[", "\"covariance\":[[0,", "\"covariance\" must be null or 16 rows");
  expect("\"better\":\"", "\"better\":\"x", "\"better\" is \"x");
  expect("\"turns_fast\":", "\"turns\":", "\"turns_fast\" is missing");
  expect("\"ss\":-0.102", "\"ss\":1e300", "pairs[2]: \"ss\" is beyond any machine");
  expect("\"ls\":10.0", "\"ls\":1e300", "pairs[2]: \"ls\" is beyond any machine");
  const std::size_t covariance = text.find("\"covariance\":[[");
  expect(text.substr(covariance, text.find(',', covariance) - covariance), "\"covariance\":[[1e300",
         "pairs[0]: \"covariance\" is beyond any machine");
  for (std::size_t size = 0; size + 1 < text.size(); size += 97)
    EXPECT_FALSE(error_of(text.substr(0, size)).empty());
}

}  // namespace
}  // namespace gable::model
