//===- KernelOutliner.h - clusters of ops into kernels --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELOUTLINER_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELOUTLINER_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "compiler/transforms/fusion/KernelExtents.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// Makes kernels of clusters, one for all that are equal or differ in numbers
/// and extents alone that calls can pass.
class KernelOutliner {
public:
  KernelOutliner(mlir::ModuleOp module) : module(module), symbols(module) {}

  /// Replaces the ops of `cluster` by a call of its kernel, at the builder's
  /// place, after all producers.
  void outline(Cluster &cluster, const FunctionSymbols &function,
               ExtentAnalysis &extents, mlir::OpBuilder &builder);

  /// Makes calls pass the numbers in which kernels differ; call last.
  void finish();

  unsigned getKernelCount() const { return groups.size(); }

private:
  tgx::KernelOp build(Cluster &cluster, llvm::ArrayRef<mlir::Value> inputs,
                      llvm::ArrayRef<mlir::Value> outputs,
                      const ExtentAnalysis &extents,
                      llvm::SmallVectorImpl<mlir::AffineExpr> &callExtents);
  /// A call with the value that it has for each number of its kernel for any
  /// extents, for each number of that for its own, and for each extent, and the
  /// extents of the function that it stands in.
  struct Call {
    tgx::CallOp op;
    llvm::SmallVector<mlir::Attribute> numbers, ownNumbers;
    llvm::SmallVector<int64_t> ownExtents;
    ExtentAnalysis *extents;

    /// Makes it pass one more number: a constant as its last input, an integer
    /// as its last extent.
    void pass(mlir::Attribute number);
  };
  /// A kernel for clusters that differ in numbers and extents alone, and its
  /// calls.
  struct Group {
    KernelExtents kernel;
    llvm::SmallVector<Call> calls;
  };
  /// The group of `kernel`, which is erased if it is not the first there.
  Group &groupOf(const KernelExtents &kernel, const Cluster &cluster);
  static llvm::SmallVector<unsigned> findDifferences(const Group &group);
  /// Returns the kernel of a group, to which calls pass the extents in which
  /// they differ.
  tgx::KernelOp passExtents(Group &group);
  void passNumbers(Group &group);
  /// A name that no symbol of the module has yet.
  std::string takeName(const std::string &base);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::StringMap<unsigned> known;
  std::vector<Group> groups;
  /// How often a name was asked for.
  llvm::StringMap<unsigned> names;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELOUTLINER_H
