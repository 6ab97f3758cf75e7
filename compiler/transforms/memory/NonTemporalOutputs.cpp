//===- NonTemporalOutputs.cpp - outputs for non-temporal stores -----------===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/memory/BufferTraffic.h"
#include "llvm/ADT/MapVector.h"

namespace tg {
#define GEN_PASS_DEF_NONTEMPORALOUTPUTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
struct NonTemporalOutputs
    : tg::impl::NonTemporalOutputsBase<NonTemporalOutputs> {
  using NonTemporalOutputsBase::NonTemporalOutputsBase;

  void runOnOperation() override;

private:
  /// The launches of a kernel for some extents. For each output, the common
  /// alignment of all launches, or 0 if it is not to be written with
  /// non-temporal stores.
  struct LaunchGroup {
    SmallVector<int64_t> alignments;
    SmallVector<tgx::LaunchOp> launches;
  };
  using LaunchGroups = llvm::MapVector<AffineMapAttr, LaunchGroup>;
  using GroupsOfKernels = llvm::MapVector<StringAttr, LaunchGroups>;

  void visit(tgx::FunctionOp function, GroupsOfKernels &groups) const;
  static void merge(tgx::LaunchOp launch, ArrayRef<int64_t> found,
                    GroupsOfKernels &groups);
  void setNonTemporal(tgx::KernelOp kernel, LaunchGroups &groups,
                      SymbolTable &symbols);
  void setAlignments(tgx::KernelOp kernel, DenseI64ArrayAttr alignments);
  bool missesCaches(const BufferTraffic &traffic, unsigned step,
                    Value buffer) const {
    return traffic.bytesOf(buffer) >= target.l2Bytes &&
           traffic.bytesUntilUse(step, buffer, target.nearCacheBytes) >=
               target.nearCacheBytes &&
           traffic.bytesSinceUse(step, buffer, target.totalCacheBytes) >=
               target.totalCacheBytes;
  }

  TargetDescription target;
};
} // namespace

/// Combines the alignments of a launch with the alignments of other launches of
/// the same kernel and extents.
void NonTemporalOutputs::merge(tgx::LaunchOp launch, ArrayRef<int64_t> found,
                               GroupsOfKernels &groups) {
  LaunchGroup &group =
      groups[launch.getKernelAttr().getAttr()][launch.getExtentsAttr()];
  group.launches.push_back(launch);
  if (group.alignments.empty())
    return group.alignments.assign(found.begin(), found.end());
  for (auto [common, one] : llvm::zip_equal(group.alignments, found))
    common = std::min(common, one);
}

void NonTemporalOutputs::visit(tgx::FunctionOp function,
                               GroupsOfKernels &groups) const {
  BufferTraffic traffic(function);
  for (auto [index, step] : llvm::enumerate(traffic.getSteps())) {
    if (auto launch = dyn_cast<tgx::LaunchOp>(*step)) {
      SmallVector<int64_t> found;
      for (Value output : launch.getOutputs())
        found.push_back(missesCaches(traffic, index, output)
                            ? tgx::alignmentOf(output)
                            : 0);
      merge(launch, found, groups);
      continue;
    }
    // Values written in an iteration are mostly used by the same iteration or
    // the next.
    step->walk([&](tgx::LaunchOp launch) {
      merge(launch, SmallVector<int64_t>(launch.getOutputs().size(), 0),
            groups);
    });
  }
}

/// Gives the first combination to the kernel itself and the others to copies;
/// equal combinations share a kernel.
void NonTemporalOutputs::setNonTemporal(tgx::KernelOp kernel,
                                        LaunchGroups &groups,
                                        SymbolTable &symbols) {
  llvm::MapVector<Attribute, SmallVector<tgx::LaunchOp>> kernels;
  for (auto &[extents, group] : groups)
    llvm::append_range(
        kernels[DenseI64ArrayAttr::get(kernel.getContext(), group.alignments)],
        group.launches);
  for (auto &[alignments, launches] : llvm::drop_begin(kernels)) {
    tgx::KernelOp copy = kernel.clone();
    symbols.insert(copy, std::next(kernel->getIterator()));
    setAlignments(copy, cast<DenseI64ArrayAttr>(alignments));
    for (tgx::LaunchOp launch : launches)
      launch.setKernelAttr(FlatSymbolRefAttr::get(copy.getSymNameAttr()));
  }
  setAlignments(kernel, cast<DenseI64ArrayAttr>(kernels.front().first));
}

void NonTemporalOutputs::setAlignments(tgx::KernelOp kernel,
                                       DenseI64ArrayAttr alignments) {
  size_t nonTemporal = llvm::count_if(alignments.asArrayRef(),
                                      [](int64_t one) { return one != 0; });
  if (nonTemporal)
    kernel.setNonTemporalOutputsAttr(alignments);
  nonTemporalOutputs += nonTemporal;
}

void NonTemporalOutputs::runOnOperation() {
  target = PlanTarget(getOperation()).getDescription();
  if (target.nearCacheBytes == 0)
    return;
  GroupsOfKernels groups;
  for (auto function : getOperation().getOps<tgx::FunctionOp>())
    visit(function, groups);
  SymbolTable symbols(getOperation());
  for (auto kernel : llvm::to_vector(getOperation().getOps<tgx::KernelOp>()))
    if (auto found = groups.find(kernel.getSymNameAttr());
        found != groups.end())
      setNonTemporal(kernel, found->second, symbols);
}
