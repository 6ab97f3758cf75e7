//===- KernelHarness.h - emits, compiles and runs single kernels ----------===//
#ifndef TG_TEST_COMPILER_CODEGEN_CPU_KERNELHARNESS_H
#define TG_TEST_COMPILER_CODEGEN_CPU_KERNELHARNESS_H

#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/target/Target.h"
#include "mlir/IR/MLIRContext.h"
#include <functional>
#include <map>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace tg::test {

/// The results of a run: outputs, and the contents of the error cells.
struct KernelRun {
  std::vector<HostTensor> outputs;
  std::vector<int64_t> errorCells;
  /// The value that a second run reports of the element in the only cell.
  int64_t errorValue = 0;

  bool hasFailed() const {
    return llvm::any_of(errorCells, [](int64_t element) {
      return element != std::numeric_limits<int64_t>::max();
    });
  }
};

/// A kernel compiled to machine code in this process.
class CompiledKernel {
public:
  CompiledKernel();
  ~CompiledKernel();

  /// Returns the number of tiles. Only the symbols and the number of workers in
  /// the argument block `task` are read, so its pointers may be null.
  int64_t countTiles(void *task) const { return tiles(task); }
  void run(void *task, int64_t first, int64_t last, int32_t worker) const {
    body(task, first, last, worker);
  }

  /// Bytes of scratch memory per worker, and bytes of the partials buffer of
  /// all tiles. The map of the partials buffer is null if the kernel has no
  /// finalize step.
  mlir::AffineMap scratchBytes, partialsBytes;
  /// The LLVM IR before optimization.
  std::string llvmText;

private:
  friend class KernelHarness;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  int64_t (*tiles)(void *) = nullptr;
  void (*body)(void *, int64_t, int64_t, int32_t) = nullptr;
};

/// Parses one tgx.kernel from text, compiles it and runs it.
class KernelHarness {
public:
  /// Parses `text`, which holds one tgx.kernel.
  explicit KernelHarness(llvm::StringRef text);
  ~KernelHarness();

  tgx::KernelOp getKernel() { return kernel; }

  /// Returns tensors for all arguments: floats in [-2, 2], integers in [0, 9].
  std::vector<HostTensor> makeInputs(llvm::ArrayRef<int64_t> symbols);
  /// Returns tensors for all outputs, filled with garbage.
  std::vector<HostTensor> makeOutputs(llvm::ArrayRef<int64_t> symbols);
  /// Returns the outputs as the interpreter evaluates the ops.
  std::vector<HostTensor> evaluate(llvm::ArrayRef<HostTensor> inputs,
                                   llvm::ArrayRef<int64_t> symbols);
  /// Returns null if the kernel cannot be emitted or compiled.
  std::unique_ptr<CompiledKernel> compile(const Target &target);
  /// Runs all tiles in reverse order, each on another worker, to show that the
  /// order does not matter. `aliases` maps outputs to the inputs whose memory
  /// they share.
  KernelRun run(const CompiledKernel &compiled,
                llvm::ArrayRef<HostTensor> inputs,
                llvm::ArrayRef<int64_t> symbols,
                const std::map<unsigned, unsigned> &aliases = {});

private:
  llvm::SmallVector<int64_t> shapeOf(llvm::ArrayRef<mlir::AffineExpr> extents,
                                     llvm::ArrayRef<int64_t> symbols);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tgx::KernelOp kernel;
};

/// Returns the ISA levels and optimization levels that this CPU can run.
std::vector<Target> runnableTargets();

/// The options of `checkKernel`.
struct KernelCheck {
  /// The tolerance of floats (isClose).
  double tolerance = 2e-6;
  std::map<unsigned, unsigned> aliases = {};
  /// Modifies the generated inputs.
  std::function<void(std::vector<HostTensor> &)> prepare = {};
  /// The lowest -O level that supports this kind of kernel.
  int optimization = 0;
};

/// Expects that the kernel computes the values of the interpreter on every
/// target.
void checkKernel(llvm::StringRef text, llvm::ArrayRef<int64_t> symbols = {},
                 const KernelCheck &check = {});

/// Checks the kernel as `checkKernel` does for each list of symbols; the kernel
/// is compiled once per target.
void checkKernelOverExtents(llvm::StringRef text,
                            llvm::ArrayRef<std::vector<int64_t>> lists,
                            const KernelCheck &check = {});

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_KERNELHARNESS_H
