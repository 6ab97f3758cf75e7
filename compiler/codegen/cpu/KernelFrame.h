//===- KernelFrame.h - the functions of a kernel and their entry ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_KERNELFRAME_H
#define TG_COMPILER_CODEGEN_CPU_KERNELFRAME_H

#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/codegen/kernel/ExtentValues.h"
#include "compiler/codegen/kernel/KernelContext.h"
#include "compiler/codegen/kernel/Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// Computes extents, and reads the argument block, at the entry of one function
/// of a kernel.
class EntryExtents : public ExtentValues {
public:
  EntryExtents(mlir::OpBuilder builder, mlir::Location loc, mlir::Value task,
               ArgumentBlock layout)
      : ExtentValues(builder, loc), task(task), layout(layout) {}

  /// Returns the pointer in a slot of the argument block.
  mlir::Value pointer(unsigned slot);
  /// Returns the number of workers of a run, at least 1.
  mlir::Value workers();

protected:
  mlir::Value symbol(unsigned position) override;

private:
  mlir::Value slot(unsigned index, mlir::Type type);

  mlir::Value task;
  ArgumentBlock layout;
  llvm::DenseMap<unsigned, mlir::Value> slots;
};

/// Returns the number of tiles, computed from extents.
using TileCountBuilder = llvm::function_ref<mlir::Value(EntryExtents &)>;

/// The two functions of a kernel: `@name` with a loop over its tiles, and
/// `@name.tiles`. Initially the builder's insertion point is in the loop. The
/// frame lives while one emitter runs.
class KernelFrame : public KernelContext {
public:
  /// Creates both functions at the insertion point of `builder`. Returns null
  /// after a diagnostic if the extents of the body cannot be computed from the
  /// kernel's symbols.
  static std::unique_ptr<KernelFrame> create(tgx::KernelOp kernel,
                                             const TargetDescription &target,
                                             mlir::OpBuilder &builder);

  /// Emits the body of `@name.tiles`. That function has its own entry, so
  /// `count` gets its own EntryExtents.
  void setTiles(TileCountBuilder count);

  mlir::Value extent(mlir::AffineExpr expression) override {
    return entry.get(expression);
  }
  Elements argument(mlir::BlockArgument tensor) override;
  Elements output(unsigned index) override;
  void report(mlir::Value fails, tgx::ElementCheckOpInterface check,
              llvm::function_ref<FailingElement()> describe) override;
  /// Returns the loop over tiles.
  mlir::Operation *outermostLoop() override {
    return tile.getParentBlock()->getParentOp();
  }

  /// Allocates scratch memory of the worker: one region for each size, aligned
  /// as buffers are. Call it once. If `maxBytes` is not empty, it holds an
  /// upper bound for each size: a region has at least min(bytes, maxBytes)
  /// bytes.
  llvm::SmallVector<mlir::Value>
  takeScratch(llvm::ArrayRef<mlir::AffineExpr> bytes,
              llvm::ArrayRef<mlir::AffineExpr> maxBytes = {});
  /// Allocates the partials buffer, which all tiles share, in the same way.
  /// Call it before takeScratch. The finalize step is an additional tile,
  /// numbered after all others. It runs after them and reads this buffer.
  llvm::SmallVector<mlir::Value>
  takePartials(llvm::ArrayRef<mlir::AffineExpr> bytes,
               llvm::ArrayRef<mlir::AffineExpr> maxBytes);
  /// Returns the number of workers of a run, at least 1. Results must not
  /// depend on it.
  mlir::Value workers() { return entry.workers(); }

  /// Returns the names and memory sizes of the emitted kernel, which the tables
  /// of the library need. Call it last.
  EmittedKernel finish();

  ArgumentBlock layout;
  /// The index of the current tile.
  mlir::Value tile;
  /// The extents that are computed at the entry, before the loop over tiles and
  /// all code that is hoisted out of it.
  EntryExtents entry;

private:
  KernelFrame(tgx::KernelOp kernel, const TargetDescription &target,
              mlir::scf::ForOp tileLoop, mlir::func::FuncOp body,
              mlir::func::FuncOp tiles);

  llvm::SmallVector<mlir::Value>
  layOut(llvm::ArrayRef<mlir::AffineExpr> bytes,
         llvm::ArrayRef<mlir::AffineExpr> maxBytes, mlir::AffineMap &totals,
         llvm::function_ref<mlir::Value(mlir::Value size)> begin);

  mlir::func::FuncOp body, tiles;
  mlir::AffineMap scratchBytes, partialsBytes;
  /// The size of the partials buffer in bytes; null without a partials buffer.
  mlir::Value partialsSize;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_KERNELFRAME_H
