// Pages over two memories, alternating while both last, compared with a page-by-page walk; misplaced pages
// are detected.

#include "bench/buffers/mixed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::total;
using gable::kernels::Kernel;

constexpr std::uint64_t page = 4096;

// 'a' and 'b' by turns until one is used up, then the other.
std::string walk(std::uint64_t a, std::uint64_t b) {
  std::string text;
  for (bool turn = true; a + b > 0; turn = !turn) {
    const bool take_a = b == 0 || (a > 0 && turn);
    text += take_a ? 'a' : 'b';
    --(take_a ? a : b);
  }
  return text;
}

std::string spell(const PageMix& mix) {
  std::string text;
  for (std::uint64_t i = 0; i < mix.pages; ++i) {
    text += (i < mix.alternating ? i % 2 == 0 : mix.rest_on_first) ? 'a' : 'b';
  }
  return text;
}

TEST(PageMix, AlternatesWhileBothMemoriesLast) {
  for (const std::uint64_t pages : {1u, 2u, 3u, 8u, 99u, 100u, 1001u}) {
    for (int percent = 0; percent <= 100; ++percent) {
      const std::string spelt = spell(mix_pages(pages, percent));
      const auto first = static_cast<std::uint64_t>(std::ranges::count(spelt, 'a'));
      EXPECT_EQ(spelt, walk(first, pages - first)) << pages << " pages, " << percent << " %";
      EXPECT_LE(std::abs(static_cast<double>(first) - static_cast<double>(pages) * percent / 100), 0.5);
    }
  }
}

std::vector<const Kernel*> streaming() {
  std::vector<const Kernel*> found;
  for (const Kernel& kernel : gable::kernels::all()) {
    if (kernel.kind == gable::kernels::Kind::stream) found.push_back(&kernel);
  }
  return found;
}

TEST(MixedLayout, StreamsHaveTheSameShareAndPagesOfTheirOwn) {
  for (const Kernel* kernel : streaming()) {
    for (const std::uint64_t page_bytes : {page, std::uint64_t{2} << 20}) {
      for (const int percent : {0, 12, 50, 75, 100}) {
        const std::uint64_t bytes = 3000 * page_bytes + 12345;
        const MixedLayout layout = mixed_layout(*kernel, bytes, page_bytes, percent);
        std::set<int> regions;
        std::uint64_t used = 0;
        for (int s = 0; s < 3; ++s) {
          const MixedLayout::Stream& stream = layout.streams[s];
          ASSERT_EQ(stream.bytes, layout.iterations_per_pass * kernel->stream_bytes[s]) << kernel->name;
          used += stream.bytes;
          if (stream.bytes == 0) continue;
          EXPECT_TRUE(regions.insert(stream.region).second) << kernel->name;
          const PageMix room = region_pages(bytes, page_bytes, stream.region, percent);
          EXPECT_LE(stream.first_page + stream.mix.pages, room.pages) << kernel->name;
          EXPECT_EQ(stream.first_page + stream.mix.alternating, room.alternating);
          EXPECT_EQ(stream.mix.rest_on_first, room.rest_on_first);
          EXPECT_EQ(stream.offset / page_bytes, stream.first_page) << kernel->name;
          EXPECT_EQ((stream.offset + stream.bytes - 1) / page_bytes, stream.first_page + stream.mix.pages - 1)
              << kernel->name;
          EXPECT_EQ(stream.offset % 64, 0u);
          EXPECT_EQ(stream.first_page % 2, 0u);
          EXPECT_EQ(stream.mix, mix_pages(stream.mix.pages, percent));
        }
        EXPECT_EQ(used, layout.used_bytes);
        EXPECT_LE(used, bytes);
        EXPECT_GT(used, bytes - bytes / 100) << kernel->name;
        EXPECT_EQ(*regions.rbegin(), layout.regions - 1);
      }
    }
  }
}

// A model of the kernel: pages bound to two nodes alternate between them by the parity of their
// addresses, which are odd or even from the region's begin.
std::vector<std::vector<int>> obeyed(std::uint64_t bytes, const PageShare& share, bool odd) {
  std::vector<std::vector<int>> nodes(3);
  for (int region = 0; region < 3; ++region) {
    std::vector<int>& here = nodes[static_cast<std::size_t>(region)];
    for (const Buffer::Range& range : ranges_of(region_pages(bytes, page, region, share), page, 7, 2)) {
      EXPECT_EQ(range.bytes % page, 0u);
      std::vector<unsigned> turns = range.nodes;
      if (range.weights.empty() && odd) std::ranges::reverse(turns);
      if (!range.weights.empty()) {
        turns.assign(range.weights[0], range.nodes[0]);
        turns.insert(turns.end(), range.weights[1], range.nodes[1]);
      }
      for (std::uint64_t i = 0; i < range.bytes / page; ++i)
        here.push_back(static_cast<int>(turns[i % turns.size()]));
    }
  }
  return nodes;
}

// Every kernel finds its pages in the same regions.
TEST(MixedLayout, ItsRegionsPutEveryPageWhereItBelongs) {
  for (const std::uint64_t bytes : {700 * page, 9 * page + 64, 64 * page - 4096}) {
    for (int percent = 0; percent <= 100; ++percent) {
      for (const bool odd : {false, true}) {
        const auto nodes = obeyed(bytes, percent, odd);
        for (const Kernel* kernel : streaming()) {
          const MixedLayout layout = mixed_layout(*kernel, bytes, page, percent);
          MixedResidence found = compare(layout, 7, 2, nodes);
          EXPECT_TRUE(found.fault.empty()) << kernel->name << " " << percent;
          EXPECT_EQ(total(found.bytes), layout.used_bytes);
          // Each of three streams is rounded to half a page and has a part of a page at each end.
          EXPECT_NEAR(static_cast<double>(found.bytes[7]) / page,
                      percent / 100.0 * static_cast<double>(bytes) / page, 3 * 2.5);
        }
      }
    }
  }
}

TEST(MixedLayout, APageThatIsElsewhereIsNoticed) {
  const Kernel* kernel = gable::kernels::find("mix2_1_nt", "sse2");
  for (const int percent : {0, 25, 50, 75, 100}) {
    const MixedLayout layout = mixed_layout(*kernel, 90 * page, page, percent);
    const auto nodes = obeyed(90 * page, percent, false);
    for (const MixedLayout::Stream& stream : layout.streams) {
      const auto region = static_cast<std::size_t>(stream.region);
      for (std::uint64_t i = 0; i < stream.mix.pages; ++i) {
        for (const int wrong : {9 - nodes[region][stream.first_page + i], 3, -2, split_page}) {
          auto changed = nodes;
          changed[region][stream.first_page + i] = wrong;
          const MixedResidence found = compare(layout, 7, 2, changed);
          EXPECT_FALSE(found.fault.empty()) << percent << " %, page " << i << " on " << wrong;
          for (const auto& [node, bytes] : found.bytes) EXPECT_GE(node, 0);
        }
      }
    }
  }
}

// The right number of pages on each node, but not alternating.
TEST(MixedLayout, AnotherPatternOfTheSameShareIsNoticed) {
  const Kernel* kernel = gable::kernels::find("load", "sse2");
  const MixedLayout layout = mixed_layout(*kernel, 64 * page, page, 50);
  std::vector<int> halves(region_pages(64 * page, page, 0, 50).pages, 0);
  std::fill(halves.begin() + static_cast<std::ptrdiff_t>(halves.size() / 2), halves.end(), 1);
  EXPECT_FALSE(compare(layout, 0, 1, {halves}).fault.empty());
  for (const auto& unknown : {std::vector<std::vector<int>>{}, {{}}})
    EXPECT_EQ(compare(layout, 0, 1, unknown).fault, gable::model::NoteCode::pages_not_located);
}

// The complete path on this machine, and on several nodes if available (tests/guest).
// Each memory node with itself and with the next one.
std::vector<std::pair<unsigned, unsigned>> pairs_of_nodes() {
  const auto nodes = gable::machines::this_machine().nodes;
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::size_t j : {i, (i + 1) % nodes.size()})
      pairs.emplace_back(nodes[i].os_index, nodes[j].os_index);
  }
  return pairs;
}

TEST(MixedPlacement, PagesLieWhereTheLayoutHasThem) {
  Team team;
  for (const auto& [a, b] : pairs_of_nodes()) {
    for (const auto& [percent, n, m] : {std::tuple{0, 0, 0},
                                        {25, 0, 0},
                                        {50, 0, 0},
                                        {88, 0, 0},
                                        {100, 0, 0},
                                        {50, 1, 1},
                                        {25, 1, 3},
                                        {71, 5, 2},
                                        {99, 255, 1}}) {
      MixedBuffers mixed;
      mixed.begin("a", {{{0, {a, b}, percent, n, m}, 1000 * page, {tests::cpus().front()}}},
                  *gable::model::pages_named("4k"), {});
      // Smaller and larger streams in turns, in the same memory.
      for (const char* op : {"load", "mix2_1_nt", "triad_nt", "mix1_2_nt", "store_nt", "add"}) {
        const Kernel* kernel = gable::kernels::find(op, "sse2");
        if (kernel == nullptr) continue;
        mixed.touch(*kernel, team);
        if (!mixed.notes().empty()) GTEST_SKIP() << sentence(mixed.notes().front());
        const MixedResidence found = mixed.residence(0);
        EXPECT_TRUE(found.fault.empty()) << a << " and " << b << ", " << percent << " % " << op;
        gable::kernels::Arguments arguments;
        EXPECT_EQ(total(found.bytes), mixed.lay_out(0, 0, arguments));
      }
    }
  }
  gable::model::Notes notes;  // later pages go where they would have gone before
  const Buffer after(64 * page, {}, *gable::model::pages_named("4k"), notes);
  after.fill(64 * page);
  std::vector<int> nodes;
  after.find_pages(nodes, 64);
  for (const int node : nodes) EXPECT_GE(node, 0);
}

// Weights: N pages here, M there, from the first page of every stream to its last.
TEST(MixedLayout, WeightsApplyThroughout) {
  const Kernel* kernel = gable::kernels::find("mix2_1_nt", "sse2");
  for (const auto& [n, m] : {std::pair{1, 1}, {1, 3}, {5, 2}, {255, 1}, {7, 255}}) {
    const PageShare share = PageShare::weighted(n, m);
    const MixedLayout layout = mixed_layout(*kernel, 1000 * page, page, share);
    const auto nodes = obeyed(1000 * page, share, false);
    EXPECT_TRUE(compare(layout, 7, 2, nodes).fault.empty()) << n << ":" << m;
    // The same numbers of pages in another order, and a single page elsewhere.
    auto turned = nodes;
    std::swap(turned[0][0], turned[0][static_cast<std::size_t>(n)]);
    EXPECT_FALSE(compare(layout, 7, 2, turned).fault.empty());
    turned = nodes;
    turned[1][3] = 9 - turned[1][3];
    EXPECT_FALSE(compare(layout, 7, 2, turned).fault.empty());
  }
}

// Pages by node of the mappings that begin in the buffer, as numa_maps counts them.
std::vector<std::map<unsigned, std::uint64_t>> mappings_of(const Buffer& buffer) {
  std::vector<std::map<unsigned, std::uint64_t>> found;
  std::ifstream maps("/proc/self/numa_maps");
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
  for (std::string line; std::getline(maps, line);) {
    const std::uintptr_t address = std::stoul(line, nullptr, 16);
    if (address < begin || address >= begin + buffer.size()) continue;
    std::istringstream words(line);
    auto& pages = found.emplace_back();
    for (std::string word; words >> word;) {
      unsigned node = 0;
      unsigned long count = 0;
      if (std::sscanf(word.c_str(), "N%u=%lu", &node, &count) == 2) pages[node] += count;
    }
  }
  return found;
}

// numa_maps must agree: the alternating pages are one mapping with equally many pages on both nodes, and
// the rest is another mapping.
TEST(MixedPlacement, NumaMapsCountTheSame) {
  const auto nodes = gable::machines::this_machine().nodes;
  if (nodes.size() < 2) GTEST_SKIP() << "one memory node";
  const unsigned a = nodes[0].os_index, b = nodes[1].os_index;
  for (const int percent : {0, 20, 50, 75, 100}) {
    gable::model::Notes notes;
    const PageMix region = region_pages(1000 * page, page, 0, percent);
    const Buffer buffer(ranges_of(region, page, a, b), *gable::model::pages_named("4k"), notes);
    buffer.fill(buffer.size());
    const std::string expected = spell(region);
    std::map<unsigned, std::uint64_t> all;
    for (const auto& pages : mappings_of(buffer)) {
      for (const auto& [node, count] : pages) all[node] += count;
      if (pages.size() == 2) {
        EXPECT_EQ(pages.at(a), pages.at(b)) << percent;
      }
    }
    EXPECT_EQ(all[a], static_cast<std::uint64_t>(std::ranges::count(expected, 'a'))) << percent;
    EXPECT_EQ(all[b], static_cast<std::uint64_t>(std::ranges::count(expected, 'b'))) << percent;
  }
}

}  // namespace
