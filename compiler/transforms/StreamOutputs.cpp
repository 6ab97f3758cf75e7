//===- StreamOutputs.cpp - outputs that no cache keeps --------------------===//
#include "compiler/transforms/BufferTraffic.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/ElementTypes.h"
#include "dialects/tgx/Alignment.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

namespace tg {
#define GEN_PASS_DEF_STREAMOUTPUTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// The bytes of which the address of a buffer is known to be a multiple.
static int64_t alignmentOf(Value buffer) {
  int64_t unit = elementBytes(getElementTypeOrSelf(buffer));
  if (auto part = buffer.getDefiningOp<tgx::PartOp>())
    return std::gcd(alignmentOf(part.getSource()),
                    part.countElementsBefore() * unit);
  if (Value viewed = buffer.getDefiningOp<tgx::BufferOpInterface>().getViewed())
    return alignmentOf(viewed);
  // The caller says where an output lies.
  return buffer.getDefiningOp<tgx::OutputOp>() ? unit : tgx::kAlignment;
}

namespace {
struct StreamOutputs : tg::impl::StreamOutputsBase<StreamOutputs> {
  using StreamOutputsBase::StreamOutputsBase;

  void runOnOperation() override;

private:
  /// For each output of a kernel the alignment, or 0: what all its launches
  /// have in common.
  using Alignments = llvm::MapVector<StringAttr, SmallVector<int64_t>>;

  void visit(tgx::FunctionOp function, Alignments &alignments) const;
  static void meet(tgx::LaunchOp launch, ArrayRef<int64_t> found,
                   Alignments &alignments);
  bool isFar(const BufferTraffic &traffic, unsigned step, Value buffer) const {
    return traffic.bytesOf(buffer) >= leastBytes &&
           traffic.bytesUntilUse(step, buffer, nearBytes) >= nearBytes &&
           traffic.bytesSinceUse(step, buffer, farBytes) >= farBytes;
  }
};
} // namespace

/// What a launch finds, beside what others of its kernel did.
void StreamOutputs::meet(tgx::LaunchOp launch, ArrayRef<int64_t> found,
                         Alignments &alignments) {
  auto [known, isNew] = alignments.try_emplace(launch.getKernelAttr().getAttr(),
                                               SmallVector<int64_t>(found));
  if (!isNew)
    for (auto [common, one] : llvm::zip_equal(known->second, found))
      common = std::min(common, one);
}

void StreamOutputs::visit(tgx::FunctionOp function,
                          Alignments &alignments) const {
  BufferTraffic traffic(function);
  for (auto [number, step] : llvm::enumerate(traffic.getSteps())) {
    if (auto launch = dyn_cast<tgx::LaunchOp>(*step)) {
      SmallVector<int64_t> found;
      for (Value output : launch.getOutputs())
        found.push_back(isFar(traffic, number, output) ? alignmentOf(output)
                                                       : 0);
      meet(launch, found, alignments);
      continue;
    }
    // What a trip writes is used by the same one or the next, by and large.
    step->walk([&](tgx::LaunchOp launch) {
      meet(launch, SmallVector<int64_t>(launch.getOutputs().size(), 0),
           alignments);
    });
  }
}

void StreamOutputs::runOnOperation() {
  if (nearBytes == 0)
    return;
  Alignments alignments;
  for (auto function : getOperation().getOps<tgx::FunctionOp>())
    visit(function, alignments);
  for (auto kernel : getOperation().getOps<tgx::KernelOp>()) {
    auto found = alignments.find(kernel.getSymNameAttr());
    if (found == alignments.end() ||
        llvm::all_of(found->second, [](int64_t one) { return one == 0; }))
      continue;
    kernel.setStreamedOutputs(found->second);
    streamedOutputs +=
        llvm::count_if(found->second, [](int64_t one) { return one != 0; });
  }
}
