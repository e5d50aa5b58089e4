// Memory of a memkind kind, as applications that use memkind get it.

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "bench/tiers/mechanisms.hpp"

#ifdef GABLE_MEMKIND
#include <memkind.h>
#endif

namespace gable::bench {

namespace {

constexpr std::string_view prefix = "memkind:";

#ifdef GABLE_MEMKIND
struct Kind {
  std::string_view name;
  memkind_t* kind;
};

constexpr Kind kinds[] = {
    {"default", &MEMKIND_DEFAULT},
    {"regular", &MEMKIND_REGULAR},
    {"hbw", &MEMKIND_HBW},
    {"hbw_all", &MEMKIND_HBW_ALL},
    {"hbw_preferred", &MEMKIND_HBW_PREFERRED},
    {"hbw_interleave", &MEMKIND_HBW_INTERLEAVE},
    {"interleave", &MEMKIND_INTERLEAVE},
    {"dax_kmem", &MEMKIND_DAX_KMEM},
    {"dax_kmem_all", &MEMKIND_DAX_KMEM_ALL},
    {"dax_kmem_preferred", &MEMKIND_DAX_KMEM_PREFERRED},
    {"highest_capacity", &MEMKIND_HIGHEST_CAPACITY},
    {"highest_capacity_local", &MEMKIND_HIGHEST_CAPACITY_LOCAL},
    {"lowest_latency_local", &MEMKIND_LOWEST_LATENCY_LOCAL},
    {"highest_bandwidth_local", &MEMKIND_HIGHEST_BANDWIDTH_LOCAL},
};

class KindRegion : public Region {
 public:
  KindRegion(const Kind& kind, std::size_t bytes) : kind_(*kind.kind) {
    void* memory = nullptr;
    if (const int error = memkind_posix_memalign(kind_, &memory, 2u << 20, bytes); error != 0)
      throw Error::unavailable(fmt::format("memkind:{}: {} MiB are not available (memkind reports {})",
                                           kind.name, bytes >> 20, error));
    bytes_ = {static_cast<std::byte*>(memory), bytes};
    how_ = fmt::format("memkind's {}", kind.name);
  }
  ~KindRegion() override { memkind_free(kind_, bytes_.data()); }

  // The kind chooses the location; residence() reports it.
  model::Note misplaced(std::size_t) const override { return {}; }

 private:
  memkind_t kind_;
};
#endif

}  // namespace

std::optional<Tier> find_memkind_tier(const std::string& name, const machines::Machine&, int) {
  if (!name.starts_with(prefix)) return std::nullopt;
#ifdef GABLE_MEMKIND
  const auto kind = std::ranges::find(kinds, std::string_view(name).substr(prefix.size()), &Kind::name);
  if (kind == std::end(kinds))
    throw Error::unavailable(
        fmt::format("{}: the kinds of memkind are {}", name, joined(kinds, &Kind::name)));
  if (memkind_check_available(*kind->kind) != 0)
    throw Error::unavailable(fmt::format("{}: memkind finds no such memory on this machine", name));
  return Tier{name, model::Tier::memkind, std::nullopt, [] { return std::optional<std::uint64_t>(); },
              [kind](std::size_t bytes) { return std::make_unique<KindRegion>(*kind, bytes); }};
#else
  throw Error::unavailable(
      fmt::format("{}: built without memkind (Debian's package is libmemkind-dev)", name));
#endif
}

}  // namespace gable::bench
