//===- ReductionForm.cpp - how threads divide reduced groups --------------===//
#include "compiler/codegen/cuda/reduction/ReductionForm.h"
#include "compiler/codegen/kernel/Cost.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The elements of a line that one thread visits: a warp would be idle for the
/// most part, and the rows of neighbouring threads share cache lines.
static constexpr int64_t kThreadElements = 16;

/// The elements of a line that each thread keeps, and those of all arguments:
/// more would leave too few warps for each multiprocessor.
static constexpr int64_t kKeptElements = 32, kKeptRegisters = 96;

/// The ops of the code of a kept line: the time to compile it grows with them.
static constexpr int64_t kKeptOps = 4096;

/// The warps of a group: as many as the blocks that become a number have lane
/// blocks.
static constexpr int64_t kMostWarps = 8;

/// The warps of a group whose lines have many blocks that become numbers.
static constexpr int64_t kLongLineWarps = 16;

/// The number of groups that alone occupy a GPU.
static constexpr int64_t kManyWarps = 512, kManyColumns = 32 * 1024;

/// The threads of a block of columns, and the bytes of its totals.
static constexpr int64_t kColumnThreads = 512, kTotalBytes = 32 * 1024;

/// The columns of a block: 8 elements of 4 bytes are a sector, the smallest
/// part of memory that is read.
static constexpr int64_t kLeastColumns = 8, kMostColumns = 32;

/// Returns the least power of two that is at least `number`, but at most
/// `limit`.
static int64_t powerUpTo(int64_t number, int64_t limit) {
  return std::min<int64_t>(limit,
                           llvm::PowerOf2Ceil(std::max<int64_t>(number, 1)));
}

ReductionForm::ReductionForm(const GroupElements &group) {
  AffineExpr elements = group.countElements();
  LineChains chains(group.plan.getOrder(), elements);
  std::optional<int64_t> length = staticExtent(elements);
  bool isShort =
      group.hasSingleElements() || (length && *length <= kThreadElements);
  bool hasChains = chains.count() >= kWarpThreads / 2 &&
                   chains.lanes <= int64_t(kWarpThreads);
  if (group.hasSingleLine() && keepsLine(group, chains))
    kind = Kind::kept;
  else if (!isShort && hasChains)
    chooseWarps(group, chains);
  else if (!group.hasSingleLine())
    chooseSlots(group);
}

/// Returns the number of ops that compute one element of a kernel. An expensive
/// op stands for its expansion, a sum of products for its loops.
static int64_t countOps(Block &body) {
  int64_t count = 0;
  for (Operation &op : body.without_terminator())
    count += isa<ContractionOpInterface>(&op) ? 512 : isExpensive(&op) ? 32 : 2;
  return count;
}

/// Chooses the threads of a group that keep its line. Returns false if it is
/// too long, or if its length is not known.
bool ReductionForm::keepsLine(const GroupElements &group,
                              const LineChains &chains) {
  std::optional<int64_t> length = staticExtent(group.countElements());
  if (group.hasSingleElements() || !length || *length < 1 ||
      (!chains.laneBlocks.empty() && *length > chains.laneBlocks[0]))
    return false;
  threads = *length <= kThreadElements ? 1 : kWarpThreads;
  if (chains.count() < threads ||
      (threads > 1 && chains.lanes > int64_t(threads)))
    return false;
  int64_t each = llvm::divideCeil(*length, threads);
  Block &body = group.frame.kernel.getBlock();
  return each <= kKeptElements && each * countOps(body) <= kKeptOps &&
         each * group.countFullArguments() <= kKeptRegisters;
}

/// Chooses the warps that share a line, or the lines of a group.
void ReductionForm::chooseWarps(const GroupElements &group,
                                const LineChains &chains) {
  kind = Kind::warps;
  if (!group.plan.getOrder().getTile().empty())
    return;
  std::optional<int64_t> groups = staticExtent(group.countGroups());
  if (!group.hasSingleLine()) {
    std::optional<int64_t> lines = staticExtent(group.lineTiles.getCount());
    warps = lines ? powerUpTo(*lines, kMostWarps) : kMostWarps / 2;
    return;
  }
  // Without blocks all steps are one chain.
  if (chains.laneBlocks.empty())
    return;
  std::optional<int64_t> length = staticExtent(group.countElements());
  if (!length) {
    warps = groups && *groups < kManyWarps ? kMostWarps : 1;
    return;
  }
  warps =
      powerUpTo(llvm::divideCeil(*length, chains.laneBlocks[0]), kMostWarps);
  if (!chains.numberBlocks.empty() &&
      *length / chains.numberBlocks[0] >= kLongLineWarps) {
    warps = kLongLineWarps;
    level = 1;
  }
}

/// Returns the greatest number of terms of a phase.
static int64_t countTerms(const ReductionPlan &plan) {
  int64_t terms = 1;
  for (unsigned phase = 0; phase < plan.getNumPhases(); ++phase) {
    // One more for the number of elements.
    int64_t count = 1;
    for (ReductionOpInterface reduction : plan.getReductions(phase))
      count += reduction.countTerms();
    terms = std::max(terms, count);
  }
  return terms;
}

/// Chooses the slots that share the lines of a group, unless there are few
/// lines or many groups.
void ReductionForm::chooseSlots(const GroupElements &group) {
  SmallVector<int64_t> sizes = group.lineBlocks();
  std::optional<int64_t> lines = staticExtent(group.lineTiles.getCount());
  std::optional<int64_t> groups = staticExtent(group.countGroups());
  if (sizes.empty() || (lines && *lines <= sizes[0]) ||
      (groups && (*groups >= kManyColumns || *groups == 0)))
    return;
  int64_t most = llvm::bit_floor(uint64_t(std::max<int64_t>(
      kTotalBytes / (8 * countTerms(group.plan)), kWarpThreads)));
  int64_t blockThreads = std::min(kColumnThreads, most);
  columns = kLeastColumns;
  if (groups && *groups < kLeastColumns)
    columns = powerUpTo(*groups, kLeastColumns);
  else if (!groups || *groups > kManyWarps * kLeastColumns)
    columns = kMostColumns;
  slots = blockThreads / columns;
  // Slots that sum large blocks merge less, but need many lines.
  if (lines && sizes.size() > 1 && *lines / sizes[1] >= int64_t(slots) / 2)
    level = 1;
  if (lines)
    slots = powerUpTo(llvm::divideCeil(*lines, sizes[level]), slots);
  if (level + 1 < sizes.size())
    slots = std::min<int64_t>(
        slots, llvm::bit_floor(uint64_t(sizes[level + 1] / sizes[level])));
  // A block has whole warps.
  slots = std::max<int64_t>(slots, kWarpThreads / columns);
  kind = Kind::columns;
}
