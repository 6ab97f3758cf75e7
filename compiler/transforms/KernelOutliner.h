//===- KernelOutliner.h - clusters of ops into kernels --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_KERNELOUTLINER_H
#define TG_COMPILER_TRANSFORMS_KERNELOUTLINER_H

#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/FusionPlan.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// Makes kernels of clusters, one for all that are equal or differ in numbers
/// alone that calls can pass.
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
  /// A kernel for clusters that differ in numbers alone, and their calls with
  /// the value that each has for each number.
  struct Group {
    tgx::KernelOp kernel;
    llvm::SmallVector<
        std::pair<tgx::CallOp, llvm::SmallVector<mlir::Attribute>>>
        calls;
  };
  /// The group of `kernel`, which is erased if it is not the first there.
  Group &groupOf(tgx::KernelOp kernel, const Cluster &cluster);
  static void passNumbers(Group &group);
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

#endif // TG_COMPILER_TRANSFORMS_KERNELOUTLINER_H
