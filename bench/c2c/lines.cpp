#include "bench/c2c/lines.hpp"

#include <cstring>
#include <new>

#include "base/pages.hpp"
#include "bench/buffers/chase.hpp"
#include "kernels/flush.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t apart = 8;  // lines from the begin of a block to the next; each has one line in use
constexpr std::uint64_t word_apart = 4;  // lines between two words, beyond the reach of adjacent prefetches

}  // namespace

C2cLines::C2cLines(int node)
    : node_(node),
      line_bytes_(line_bytes()),
      words_bytes_(std::max<std::size_t>(small_page(), 3 * word_apart * line_bytes_)),
      buffer_(words_bytes_ + count * apart * line_bytes_,
              node < 0 ? std::vector<unsigned>() : std::vector<unsigned>{static_cast<unsigned>(node)},
              model::small_pages(), notes_) {
  buffer_.fill(buffer_.size());
  reset();
  const auto [multiplier, increment] = chase_order(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::byte* const next = line((i * multiplier + increment) % count);
    std::memcpy(line(i), &next, sizeof next);
  }
  first_ = line(0);
}

std::atomic<std::uint64_t>& C2cLines::at(std::size_t line) const {
  return *reinterpret_cast<std::atomic<std::uint64_t>*>(buffer_.data() + line * word_apart * line_bytes_);
}

// The place in the block changes from block to block, so that all sets of a cache get as many lines.
std::byte* C2cLines::line(std::uint64_t number) const {
  const std::uint64_t place = (number + number / apart * 5) % apart;
  return buffer_.data() + words_bytes_ + (number * apart + place) * line_bytes_;
}

void C2cLines::reset() {
  for (std::size_t word = 0; word < 3; ++word) new (&at(word)) std::atomic<std::uint64_t>(0);
}

void C2cLines::write_all(std::uint64_t value) const {
  for (std::uint64_t i = 0; i < count; ++i)
    *reinterpret_cast<volatile std::uint64_t*>(line(i) + sizeof(void*)) = value;
}

void C2cLines::read_all() const {
  for (std::uint64_t i = 0; i < count; ++i)
    static_cast<void>(*reinterpret_cast<const volatile std::uint64_t*>(line(i)));
}

void C2cLines::drop_from_caches() const {
  kernels::flush(buffer_.data() + words_bytes_, count * apart * line_bytes_);
}

std::map<int, std::uint64_t> C2cLines::residence() const {
  return buffer_.residence(buffer_.size());
}

model::Note C2cLines::misplaced(const std::map<int, std::uint64_t>& found, std::size_t nodes) const {
  if (node_ < 0) return {};
  if (found.empty()) return nodes == 1 ? model::NoteCode::none : model::NoteCode::pages_not_located;
  for (const auto& [node, bytes] : found) {
    if (node == node_ || bytes == 0) continue;
    if (node < 0) return model::NoteCode::lines_not_in_memory;
    return {model::NoteCode::lines_elsewhere, {double(bytes), double(node), double(node_)}};
  }
  return {};
}

}  // namespace gable::bench
