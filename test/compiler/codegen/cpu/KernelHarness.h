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

/// The results of a run: outputs, and the contents of the error cell.
struct KernelRun {
  std::vector<HostTensor> outputs;
  int64_t errorElement;
  uint32_t errorVariables = 0, errorLock = 0;
  /// The index that was checked, where no memory has it.
  int64_t errorFound = 0;
};

/// A kernel in machine code of this process.
class CompiledKernel {
public:
  CompiledKernel();
  ~CompiledKernel();

  /// Tiles for these symbols; `task` needs no pointers but those.
  int64_t countTiles(void *task) const { return tiles(task); }
  void run(void *task, int64_t first, int64_t last, int32_t worker) const {
    body(task, first, last, worker);
  }

  /// Memory of each worker; memory of all tiles, if one more runs at last.
  mlir::AffineMap scratchBytes, sharedBytes;
  /// The LLVM IR before optimization.
  std::string llvmText;

private:
  friend class KernelHarness;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  int64_t (*tiles)(void *) = nullptr;
  void (*body)(void *, int64_t, int64_t, int32_t) = nullptr;
};

/// One tgx.kernel, given as text, and ways to run it.
class KernelHarness {
public:
  /// `text` is one tgx.kernel.
  explicit KernelHarness(llvm::StringRef text);
  ~KernelHarness();

  tgx::KernelOp getKernel() { return kernel; }

  /// Tensors for all arguments: floats in [-2, 2], integers in [0, 9].
  std::vector<HostTensor> makeInputs(llvm::ArrayRef<int64_t> symbols);
  /// Tensors for all outputs, full of garbage.
  std::vector<HostTensor> makeOutputs(llvm::ArrayRef<int64_t> symbols);
  /// The outputs by the ops' own evaluation.
  std::vector<HostTensor> evaluate(llvm::ArrayRef<HostTensor> inputs,
                                   llvm::ArrayRef<int64_t> symbols);
  /// Null when the kernel cannot be emitted or compiled.
  std::unique_ptr<CompiledKernel> compile(const Target &target);
  /// Runs all tiles, backwards and each on another worker, to show that the
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

/// Levels and optimizations that this CPU can run.
std::vector<Target> runnableTargets();

/// The options of `checkKernel`.
struct KernelCheck {
  /// Allowed error of floats, relative above 1 and absolute below.
  double tolerance = 2e-6;
  std::map<unsigned, unsigned> aliases = {};
  /// Changes the inputs that were made.
  std::function<void(std::vector<HostTensor> &)> prepare = {};
  /// The least -O that kernels of this kind are made for.
  int optimization = 0;
};

/// Expects that the kernel computes on every target what its ops evaluate to.
void checkKernel(llvm::StringRef text, llvm::ArrayRef<int64_t> symbols = {},
                 const KernelCheck &check = {});

/// The same for each of several lists of symbols; the kernel is compiled once
/// for a target.
void checkKernelOverExtents(llvm::StringRef text,
                            llvm::ArrayRef<std::vector<int64_t>> lists,
                            const KernelCheck &check = {});

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_KERNELHARNESS_H
