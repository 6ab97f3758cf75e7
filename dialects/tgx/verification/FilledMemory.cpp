//===- FilledMemory.cpp - the memory that steps have written --------------===//
#include "dialects/tgx/verification/FilledMemory.h"
#include "llvm/ADT/SetOperations.h"

using namespace mlir;
using namespace tgx;

void FilledMemory::keepCommon(const FilledMemory &other) {
  llvm::set_intersect(whole, other.whole);
  for (auto &[memory, written] : spans)
    llvm::erase_if(written,
                   [&](Span span) { return !other.contains(memory, span); });
}

bool FilledMemory::contains(Operation *memory, Span span) const {
  auto found = spans.find(memory);
  if (contains(memory) || found == spans.end())
    return contains(memory);
  SmallVector<Span> sorted(found->second);
  llvm::sort(sorted, [](Span a, Span b) { return a.begin < b.begin; });
  for (Span written : sorted)
    if (written.begin <= span.begin)
      span.begin = std::max(span.begin, written.end);
  return span.begin >= span.end;
}
