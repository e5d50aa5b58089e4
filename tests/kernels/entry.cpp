// What the table entry of a kernel claims, compared with its name.

#include "tests/kernels/check.hpp"

namespace gable::tests {

using kernels::Kernel;
using kernels::Kind;
using Faults = std::vector<std::string>;

std::vector<std::string> entry_faults(const Kernel& kernel) {
  Faults found;
  const std::uint32_t* stream = kernel.stream_bytes;
  unsigned loads = 0, stores = 0;
  if (std::string(kernel.name) != std::string(kernel.op) + "_" + kernel.isa)
    found.push_back("the name is not op_isa");
  if (kernel.code_end <= reinterpret_cast<const void*>(kernel.code)) found.push_back("the code has no end");
  if (kernel.kind == Kind::stream) {
    if (kernel.load_bytes != stream[0] + stream[1])
      found.push_back("what it loads is not how far it advances");
    if (kernel.store_bytes != stream[2]) found.push_back("what it stores is not how far it advances");
    for (int s = 0; s < 3; ++s) {
      if (stream[s] % 64 != 0) found.push_back("a stream does not advance by whole lines");
    }
  }
  if (kernel.kind == Kind::random && kernel.store_bytes == 0 &&
      (stream[0] != 64 || stream[1] + stream[2] != 0 || kernel.load_bytes != 8))
    found.push_back("a random load does not load one number of one line an iteration");
  if (kernel.kind == Kind::random && kernel.store_bytes > 0 &&
      (stream[2] != 64 || stream[0] + stream[1] != 0 || kernel.load_bytes != 0 ||
       kernel.store_bytes != 8 * kernel.additions))
    found.push_back("random stores are not so many of a number each, or not of one line an iteration");
  if (kernel.kind == Kind::blocks) {
    if (std::sscanf(kernel.op, "block%u", &stores) != 1 || kernel.store_bytes != stores)
      found.push_back("a block is not as long as its name says");
    if (kernel.store_bytes != stream[2] || kernel.load_bytes != 0 || stream[0] + stream[1] != 0)
      found.push_back("a kernel of blocks does more than to store one an iteration");
  }
  if (kernel.kind == Kind::reads) {
    if (std::sscanf(kernel.op, "read%u", &loads) != 1 || kernel.load_bytes != loads)
      found.push_back("a block is not as long as its name says");
    if (kernel.load_bytes != stream[0] || kernel.store_bytes != 0 || stream[1] + stream[2] != 0)
      found.push_back("a kernel of reads does more than to read one block an iteration");
  }
  if (std::sscanf(kernel.op, "mix%u_%u", &loads, &stores) == 2 &&
      kernel.load_bytes * stores != kernel.store_bytes * loads) {
    found.push_back("the mix is not what its name says");
  }
  if (std::sscanf(kernel.op, "load_fma%u", &loads) == 1 &&
      kernel.flops != kernel.load_bytes / 8 * 2 * loads) {
    found.push_back("the flops a load are not what its name says");
  }
  return found;
}

}  // namespace gable::tests
