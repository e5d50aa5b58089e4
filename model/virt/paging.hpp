#pragma once

// How an environment translates addresses, inferred from the costs of walks and mapping there.
//
// Nested paging makes walks longer and leaves the guest's page tables alone. Shadow paging walks as natively
// and leaves the guest at each change of a page table or an address space (Palacios paper, sections 3.2 and
// 5). How long that takes, microseconds, is assumed. Each cost is held against what it is expected to be
// under either; the expectations, log-normal and wide, are in paging.cpp. The costs depend on each other, so
// that each counts half. A sure answer takes a native folder to compare with.

#include <string>

#include "model/virt/summary.hpp"

namespace gable::model {

enum class PagingKind { unknown, native, nested, shadow, emulated };

struct Paging {
  PagingKind kind = PagingKind::unknown;
  double chance = 0;  ///< of this kind, 0 to 1, given the expectations
  Notes why;          ///< what it follows from, or why it is not known
};

/// `native`: the same hardware without a hypervisor; nullptr: not measured.
Paging paging_of(const VirtSummary& summary, const VirtSummary* native);

/// "nested paging, 93 % sure" or "unclear: nested paging is more likely (60 %)", for people.
std::string paging_text(const Paging& paging);

/// The pages with which a host backs a guest's memory. If these are small, a TLB keeps a guest's huge page in
/// small pieces, and huge pages reach no further than small ones.
struct HostPages {
  std::string text;  ///< "4 KiB", "2 MiB or more"; empty: not known
  Note why;
};
HostPages host_pages_of(const VirtSummary& summary);

}  // namespace gable::model
