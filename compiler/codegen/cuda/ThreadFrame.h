//===- ThreadFrame.h - the function of a kernel and its threads -----------===//
//
// A kernel becomes one function of func + scf + arith + math with LLVM dialect
// pointers in the global address space:
//
//   @relu(slot: i64, ...)
//
// It has one parameter for each slot of the argument block, in the same order.
// Blocks are one-dimensional, and so is the grid. Thread.h says which threads
// do nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_THREADFRAME_H
#define TG_COMPILER_CODEGEN_CUDA_THREADFRAME_H

#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/kernel/ArgumentBlock.h"
#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/codegen/kernel/ExtentValues.h"
#include "compiler/codegen/kernel/KernelContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tg {

/// Reads the parameters of a kernel, and computes extents, at its entry.
class ParameterValues : public ExtentValues {
public:
  ParameterValues(mlir::func::FuncOp function, ArgumentBlock layout);

  /// Returns the pointer in a slot, in the global address space.
  mlir::Value pointer(unsigned slot);
  /// Makes `pointer` return another value for a slot; null restores its own.
  void setPointer(unsigned slot, mlir::Value value) { pointers[slot] = value; }
  /// Returns the number in a slot.
  mlir::Value slot(unsigned slot);

protected:
  mlir::Value symbol(unsigned position) override;

private:
  mlir::func::FuncOp function;
  ArgumentBlock layout;
  llvm::DenseMap<unsigned, mlir::Value> pointers;
};

/// The number of the block of a thread, and the number of the thread in it.
struct BlockThread {
  mlir::Value block, thread;
};

/// The function of a kernel. The frame lives while one emitter runs.
class ThreadFrame : public KernelContext {
public:
  /// Creates the function `name` at the insertion point of `builder`. Indices
  /// have at least the given width, and 64 bits if the static extents need
  /// them. Returns null after a diagnostic if the extents of the body cannot be
  /// computed from the kernel's symbols, or if it would have too many
  /// parameters.
  static std::unique_ptr<ThreadFrame> create(tgx::KernelOp kernel,
                                             llvm::StringRef name,
                                             const TargetDescription &target,
                                             IndexWidth width,
                                             mlir::OpBuilder &builder);

  /// Begins the code of a thread and returns its number, which is at least 0
  /// and below `count`. Call it or `beginTeam` once, before any other code is
  /// emitted.
  mlir::Value beginThread(mlir::AffineExpr count);
  /// Begins the code of a thread of `count` teams.
  Thread beginTeam(mlir::AffineExpr count, const TeamShape &shape);
  /// Same, for `count` blocks whose threads work together: all of them run the
  /// code, or none does.
  BlockThread beginBlock(mlir::AffineExpr count);
  /// Returns the address of an argument or output, as the number that a launch
  /// passes.
  mlir::Value passedAddressOf(mlir::Value tensor) {
    return entry.slot(slotOf(tensor));
  }
  /// Returns the alignment in bytes of that address, as far as it is known.
  int64_t alignmentOf(mlir::Value tensor) {
    return layout.alignmentOf(slotOf(tensor));
  }
  /// Makes code that is emitted from now on access an argument or output at
  /// another address; null restores the one that a launch passes.
  void setAddress(mlir::Value tensor, mlir::Value address);
  /// Returns memory for `count` elements that the threads of a block share,
  /// with an alignment of 16 bytes. Its content is undefined at first.
  Elements share(mlir::Type elementType, unsigned count);

  /// Allocates scratch memory that all threads of the launch share: one region
  /// for each size in bytes, aligned as buffers are. Its contents are undefined
  /// at first. Call it at most once.
  llvm::SmallVector<mlir::Value>
  takeScratch(llvm::ArrayRef<mlir::AffineExpr> bytes);

  mlir::Value extent(mlir::AffineExpr expression) override {
    return entry.get(expression);
  }
  Elements argument(mlir::BlockArgument tensor) override;
  Elements output(unsigned index) override;
  /// Returns the memory of an output, given as a value of the body.
  Elements outputOf(mlir::Value tensor);
  void report(mlir::Value fails, tgx::ElementCheckOpInterface check,
              llvm::function_ref<FailingElement()> describe) override;
  /// Returns null: a thread computes something.
  mlir::Operation *outermostLoop() override { return nullptr; }

  /// Returns the properties of the emitted kernel. Call it last.
  EmittedKernel finish();
  mlir::func::FuncOp getFunction() { return function; }
  /// Erases the function and its shared memory.
  void erase();

private:
  ThreadFrame(tgx::KernelOp kernel, const TargetDescription &target,
              mlir::func::FuncOp function);
  /// Returns the slot of an argument or output.
  unsigned slotOf(mlir::Value tensor);

  mlir::func::FuncOp function;
  ArgumentBlock layout;
  ParameterValues entry;
  mlir::AffineMap threads, excess, scratchBytes;
  TeamShape shape;
  llvm::SmallVector<mlir::LLVM::GlobalOp> shared;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_THREADFRAME_H
