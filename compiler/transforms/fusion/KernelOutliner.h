//===- KernelOutliner.h - outlining of clusters into kernels --------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELOUTLINER_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELOUTLINER_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "compiler/transforms/fusion/KernelExtents.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// Outlines clusters into kernels. Clusters that are equal, or that differ only
/// in numbers and extents that calls can pass, share one kernel.
class KernelOutliner {
public:
  /// `contractions` names the algorithms of contractions; null for kernels
  /// without contractions. It must outlive this object.
  explicit KernelOutliner(mlir::ModuleOp module,
                          const PlanTarget *target = nullptr)
      : module(module), target(target), symbols(module) {}

  /// Replaces the ops of `cluster` by a call of its kernel, at the builder's
  /// insertion point, after all producers.
  void outline(Cluster &cluster, const FunctionSymbols &function,
               ExtentAnalysis &extents, mlir::OpBuilder &builder);

  /// Makes calls pass the numbers in which kernels differ. Must be called last.
  void finish();

  unsigned getKernelCount() const { return groups.size(); }

private:
  /// Returns the name of the algorithm of a contraction among the ops; null if
  /// there is no contraction, or its algorithm has no name.
  mlir::StringAttr algorithmOf(llvm::ArrayRef<mlir::Operation *> ops,
                               const ExtentAnalysis &extents) const;
  tgx::KernelOp build(Cluster &cluster, llvm::ArrayRef<mlir::Value> inputs,
                      llvm::ArrayRef<mlir::Value> outputs,
                      const ExtentAnalysis &extents,
                      llvm::SmallVectorImpl<mlir::AffineExpr> &callExtents);
  /// A call, the values of the numbers (KernelNumber) of the shared kernel and
  /// of the kernel that was built for this call alone, the extents of the
  /// latter, and the extent analysis of the function that contains the call.
  struct Call {
    tgx::CallOp op;
    llvm::SmallVector<mlir::Attribute> numbers, ownNumbers;
    llvm::SmallVector<int64_t> ownExtents;
    ExtentAnalysis *extents;

    /// Makes the call pass one more number. A constant becomes its last input,
    /// an integer its last extent.
    void passNumber(mlir::Attribute number);
  };
  /// A kernel for clusters that differ only in numbers and extents, and its
  /// calls.
  struct Group {
    KernelExtents kernel;
    llvm::SmallVector<Call> calls;
  };
  /// Returns the group of `kernel`. Erases `kernel` unless it is the first of
  /// its group.
  Group &groupOf(const KernelExtents &kernel, const Cluster &cluster);
  static llvm::SmallVector<unsigned> findDifferences(const Group &group);
  /// Returns the kernel of a group. If its calls differ in extents, makes them
  /// pass these.
  tgx::KernelOp passExtents(Group &group);
  void passNumbers(Group &group);
  /// Returns a name that no symbol of the module has yet.
  std::string takeName(const std::string &base);

  mlir::ModuleOp module;
  const PlanTarget *target;
  mlir::SymbolTable symbols;
  llvm::StringMap<unsigned> groupIndices;
  std::vector<Group> groups;
  /// The number of times that takeName() was called for each base name.
  llvm::StringMap<unsigned> names;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELOUTLINER_H
