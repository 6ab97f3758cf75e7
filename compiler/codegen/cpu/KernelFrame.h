//===- KernelFrame.h - the two functions of a kernel and their entry ------===//
#ifndef TG_COMPILER_CODEGEN_CPU_KERNELFRAME_H
#define TG_COMPILER_CODEGEN_CPU_KERNELFRAME_H

#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/codegen/kernel/KernelContext.h"
#include "compiler/codegen/kernel/Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tg {

/// Evaluates extents as i64 values at the entry of one function of a kernel.
class EntryExtents {
public:
  /// New code goes to where `builder` stands, which must dominate all uses.
  EntryExtents(mlir::OpBuilder builder, mlir::Location loc, mlir::Value task,
               TaskLayout layout)
      : builder(builder), loc(loc), task(task), layout(layout) {}

  /// The value of an expression over the kernel's symbols; the same
  /// expression is computed once.
  mlir::Value get(mlir::AffineExpr expression);
  /// The pointer in a slot of the task.
  mlir::Value pointer(unsigned slot);
  /// Returns the number of workers of a run, at least 1.
  mlir::Value workers();
  /// Arithmetic at the entry.
  IntegerOps integers() { return IntegerOps(builder, loc); }

  mlir::OpBuilder builder;

private:
  mlir::Value slot(unsigned number, mlir::Type type);
  mlir::Value compute(mlir::AffineExpr expression);

  mlir::Location loc;
  mlir::Value task;
  TaskLayout layout;
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> known;
  llvm::DenseMap<unsigned, mlir::Value> slots;
};

/// Says how many tiles there are, from extents.
using TileCount = llvm::function_ref<mlir::Value(EntryExtents &)>;

/// A kernel that becomes two functions: `@name` with a loop over its tiles and
/// `@name.tiles`. The builder stands inside of the loop at first. Lives as long
/// as one emitter runs.
class KernelFrame : public KernelContext {
public:
  /// Creates both functions at the builder's place. Null, with a diagnostic,
  /// when the extents of the body do not follow from the kernel's symbols.
  static std::unique_ptr<KernelFrame> create(tgx::KernelOp kernel,
                                             const TargetDescription &target,
                                             mlir::OpBuilder &builder);

  /// Fills `@name.tiles`, whose entry is not that of the body.
  void setTiles(TileCount count);

  mlir::Value extent(mlir::AffineExpr expression) override {
    return entry.get(expression);
  }
  Elements argument(mlir::BlockArgument tensor) override;
  Elements output(unsigned number) override;
  mlir::Value errorCell() override { return entry.pointer(layout.error()); }
  /// The loop over tiles.
  mlir::Operation *outermostLoop() override {
    return tile.getParentBlock()->getParentOp();
  }

  /// The memory of a worker: one part of each size, aligned as buffers are.
  /// Once. With `most`, which has a number for each part, the sizes are the
  /// lesser ones; all of `bytes` or all of `most` must be.
  llvm::SmallVector<mlir::Value>
  takeScratch(llvm::ArrayRef<mlir::AffineExpr> bytes,
              llvm::ArrayRef<mlir::AffineExpr> most = {});
  /// The same memory for all tiles, before their scratch is taken. The tile
  /// behind the last one, the combining stage, runs after them.
  llvm::SmallVector<mlir::Value>
  takeShared(llvm::ArrayRef<mlir::AffineExpr> bytes,
             llvm::ArrayRef<mlir::AffineExpr> most);
  /// Returns the number of workers of a run, at least 1. Results must not
  /// depend on it.
  mlir::Value workers() { return entry.workers(); }

  /// Returns the record of the kernel for the library; call last.
  EmittedKernel finish();

  TaskLayout layout;
  /// The number of the current tile.
  mlir::Value tile;
  /// The builder of the entry, before the loop over tiles.
  EntryExtents entry;

private:
  KernelFrame(tgx::KernelOp kernel, const TargetDescription &target,
              mlir::scf::ForOp tileLoop, mlir::func::FuncOp body,
              mlir::func::FuncOp tiles);

  llvm::SmallVector<mlir::Value>
  layOut(llvm::ArrayRef<mlir::AffineExpr> bytes,
         llvm::ArrayRef<mlir::AffineExpr> most, mlir::AffineMap &totals,
         llvm::function_ref<mlir::Value(mlir::Value size)> begin);

  mlir::func::FuncOp body, tiles;
  mlir::AffineMap scratchBytes, sharedBytes;
  /// The size of the shared memory; null without.
  mlir::Value sharedSize;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_KERNELFRAME_H
