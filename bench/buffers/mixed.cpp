#include "bench/buffers/mixed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"

namespace gable::bench {

namespace {

PageShare share_of(const Share& split) {
  return split.node_weight > 0 ? PageShare::weighted(split.node_weight, split.other_weight)
                               : PageShare(split.node_percent);
}

}  // namespace

void MixedBuffers::begin(const std::string& name, std::vector<MixedPart> parts, model::Pages pages,
                         std::vector<std::string> notes) {
  forget();
  name_ = name;
  parts_ = std::move(parts);
  layouts_.resize(parts_.size());
  pages_ = pages;
  notes_ = std::move(notes);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    for (std::size_t i = 0; i < parts_[part].cpus.size(); ++i) threads_.emplace_back().part = part;
  }
}

void MixedBuffers::forget() {
  name_.clear();
  threads_.clear();
}

void MixedBuffers::touch(const kernels::Kernel& kernel, Team& team) {
  const std::uint64_t page_bytes = page_unit(pages_);
  const std::size_t before = threads_.front().regions.size();
  std::vector<unsigned> cpus;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    layouts_[part] = mixed_layout(kernel, parts_[part].bytes, page_bytes, share_of(parts_[part].split));
    cpus.insert(cpus.end(), parts_[part].cpus.begin(), parts_[part].cpus.end());
  }
  for (Thread& thread : threads_) {
    const auto& [split, bytes, unused] = parts_[thread.part];
    for (auto region = static_cast<int>(before); region < layouts_[thread.part].regions; ++region) {
      const PageMix mix = region_pages(bytes, page_bytes, region, share_of(split));
      thread.regions.emplace_back(ranges_of(mix, page_bytes, split.nodes[0], split.nodes[1]), pages_, notes_);
    }
  }
  if (threads_.front().regions.size() == before) return;
  team.run(cpus, [&](std::size_t i) {
    Thread& thread = threads_[i];
    thread.nodes.resize(thread.regions.size());
    for (std::size_t region = before; region < thread.regions.size(); ++region) {
      const Buffer& buffer = thread.regions[region];
      buffer.fill(buffer.size());
      buffer.find_pages(thread.nodes[region], buffer.size() / page_bytes);
    }
  });
  for (const Thread& thread : threads_) {
    for (std::size_t region = before; region < thread.regions.size() && page_bytes == huge_page(); ++region) {
      const Buffer& buffer = thread.regions[region];
      if (const std::string fault = not_in_huge_pages(buffer, buffer.size()); !fault.empty())
        throw Error::unavailable(fault);
    }
  }
}

std::uint64_t MixedBuffers::lay_out(std::size_t part, std::size_t thread,
                                    kernels::Arguments& arguments) const {
  const auto first = std::ranges::find(threads_, part, &Thread::part);
  const MixedLayout& layout = layouts_[part];
  for (int s = 0; s < 3; ++s) {
    const MixedLayout::Stream& stream = layout.streams[s];
    if (stream.bytes == 0) continue;
    const Buffer& buffer =
        first[static_cast<std::ptrdiff_t>(thread)].regions[static_cast<std::size_t>(stream.region)];
    std::byte* begin = buffer.data() + stream.offset;
    if (s == 2) {
      arguments.store = begin;
    } else {
      arguments.load[s] = begin;
    }
  }
  arguments.iterations_per_pass = layout.iterations_per_pass;
  arguments.position = 0;
  return layout.used_bytes;
}

MixedResidence MixedBuffers::residence(std::size_t part) {
  const auto& [split, unused, cpus] = parts_[part];
  const std::size_t most_pages = std::max<std::size_t>(64, 16384 / cpus.size());
  MixedResidence all;
  for (Thread& thread : threads_) {
    if (thread.part != part) continue;
    for (std::size_t region = 0; region < thread.regions.size(); ++region)
      thread.regions[region].find_pages(thread.nodes[region], most_pages);
    const MixedResidence one = compare(layouts_[part], split.nodes[0], split.nodes[1], thread.nodes);
    for (const auto& [node, bytes] : one.bytes) all.bytes[node] += bytes;
    if (all.fault.empty()) all.fault = one.fault;
  }
  if (!all.fault.empty()) name_.clear();
  return all;
}

std::map<int, std::uint64_t> MixedBuffers::glimpse(std::size_t part, std::size_t most_pages) const {
  std::map<int, std::uint64_t> found;
  for (const Thread& thread : threads_) {
    if (thread.part != part) continue;
    for (const Buffer& buffer : thread.regions) {
      for (const auto& [node, bytes] : buffer.glimpse(buffer.size(), most_pages, 0)) found[node] += bytes;
    }
  }
  return found;
}

std::string not_in_huge_pages(const Buffer& buffer, std::uint64_t bytes) {
  constexpr double least = 0.98;
  const double share = HugePages().share(buffer.data(), bytes);
  if (share >= least || share < 0) return {};
  return fmt::format(
      "only {:.0f} % of the buffer has {} pages: transparent huge pages are off or memory is fragmented "
      "(echo madvise > /sys/kernel/mm/transparent_hugepage/enabled)",
      100 * share, bytes_text(huge_page()));
}

}  // namespace gable::bench
