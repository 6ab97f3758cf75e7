//===- KnownAlignments.cpp - the alignment of the buffers of kernels ------===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tgx/Tgx.h"
#include "dialects/tgx/functions/BufferPlaces.h"

namespace tg {
#define GEN_PASS_DEF_KNOWNALIGNMENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// The alignment of a caller's tensors in the memory of a device: see
/// tg_tensor_t. Targets that use alignments are devices.
static constexpr int64_t kCallerAlignment = 16;

namespace {
struct KnownAlignments : tg::impl::KnownAlignmentsBase<KnownAlignments> {
  using KnownAlignmentsBase::KnownAlignmentsBase;

  void runOnOperation() override {
    if (!PlanTarget(getOperation()).getDescription().usesAlignments)
      return;
    getOperation().walk([&](Operation *op) {
      if (auto launch = dyn_cast<tgx::LaunchOp>(op)) {
        SmallVector<int64_t> found;
        for (Value buffer : launch.getInputs())
          found.push_back(tgx::alignmentOf(buffer, kCallerAlignment));
        for (Value buffer : launch.getOutputs())
          found.push_back(tgx::alignmentOf(buffer, kCallerAlignment));
        merge(launch.getKernelAttr().getAttr(), found);
      }
      // The variable, and its place in the packed block.
      if (auto packed = dyn_cast<tgx::PackedOp>(op))
        merge(packed.getKernelAttr().getAttr(),
              {tgx::kAlignment, tgx::kAlignment});
    });
    for (auto kernel : getOperation().getOps<tgx::KernelOp>())
      if (auto entry = known.find(kernel.getSymNameAttr());
          entry != known.end() && isUseful(kernel, entry->second))
        kernel.setAlignments(entry->second);
  }

private:
  /// Combines the alignments of a launch with those of the other launches of
  /// the kernel.
  void merge(StringAttr kernel, ArrayRef<int64_t> found) {
    auto [entry, isNew] = known.try_emplace(kernel, found);
    if (!isNew)
      for (auto [common, one] : llvm::zip_equal(entry->second, found))
        common = std::min(common, one);
  }

  /// Returns true if a buffer is aligned to more than an element.
  static bool isUseful(tgx::KernelOp kernel, ArrayRef<int64_t> alignments) {
    SmallVector<Value> buffers(kernel.getBlock().getArguments());
    llvm::append_range(buffers, kernel.getOutputs());
    return llvm::any_of(llvm::zip_equal(buffers, alignments), [](auto buffer) {
      auto [value, alignment] = buffer;
      return alignment > elementBytes(getElementTypeOrSelf(value));
    });
  }

  llvm::DenseMap<StringAttr, SmallVector<int64_t>> known;
};
} // namespace
