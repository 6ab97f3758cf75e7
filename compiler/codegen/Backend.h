//===- Backend.h - what makes code for one kind of target -----------------===//
#ifndef TG_COMPILER_CODEGEN_BACKEND_H
#define TG_COMPILER_CODEGEN_BACKEND_H

#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/target/Target.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/DialectRegistry.h"
#include <memory>

namespace llvm {
class Function;
class FunctionCallee;
class IRBuilderBase;
class LLVMContext;
class Module;
class Value;
} // namespace llvm

namespace tg {

/// What a launch passes to its kernel: values of the host function.
struct LaunchValues {
  /// The memory of the inputs, then of the outputs.
  llvm::SmallVector<llvm::Value *> buffers;
  /// The kernel's symbols.
  llvm::SmallVector<llvm::Value *> symbols;
  /// Scratch memory, the cell for failed checks, and how many workers there
  /// are.
  llvm::Value *scratch, *errorCell, *workers;
};

/// Emits the launches of one host function at the place of its builder.
class LaunchEmitter {
public:
  virtual ~LaunchEmitter() = default;

  /// Runs a kernel. `shareOut` is the function of the embedded runtime that
  /// shares work out to workers, `call` its first argument. The result is an
  /// i32, 0 unless the host failed.
  virtual llvm::Value *launch(tgx::KernelOp kernel,
                              const EmittedKernel &emitted,
                              const LaunchValues &values,
                              llvm::FunctionCallee shareOut,
                              llvm::Value *call) = 0;
  /// Ends a launch whose result was 0.
  virtual void finish(const EmittedKernel &emitted) = 0;
};

/// Makes code for one kind of target out of kernels, which are the same for
/// all: their strategies, places and launches are decided before.
class Backend {
public:
  virtual ~Backend() = default;

  /// The kind of its targets: "cpu".
  virtual llvm::StringRef getKind() const = 0;

  /// Registers the dialects that emitted kernels consist of, and what ops must
  /// know to become such.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;

  /// The target as passes and emitters see it.
  virtual TargetDescription describe(const Target &target) const = 0;

  /// What the code of the host beside the kernels is made for: an x86-64 level.
  virtual Target hostTarget(const Target &target) const = 0;

  /// Emits a kernel at the builder's place, inside a module. Fails with a
  /// diagnostic when an op of the kernel has no emitter.
  virtual llvm::FailureOr<EmittedKernel>
  emitKernel(tgx::KernelOp kernel, const Target &target,
             mlir::OpBuilder &builder) const = 0;

  /// Turns a module of emitted kernels into the LLVM dialect. Fails with a
  /// diagnostic that names an op that is left over.
  virtual llvm::LogicalResult legalize(mlir::ModuleOp kernels) const = 0;

  /// The module of the host that holds the kernels, to which the library adds
  /// the bodies of functions. Null after a diagnostic.
  virtual std::unique_ptr<llvm::Module>
  makeHostModule(mlir::ModuleOp legalized,
                 llvm::LLVMContext &context) const = 0;

  /// Begins the launches of a host function, at its entry: what they share is
  /// emitted there. They may be of any of `kernels`.
  virtual std::unique_ptr<LaunchEmitter>
  createLaunches(llvm::ArrayRef<tgx::KernelOp> kernels,
                 llvm::IRBuilderBase &builder) const = 0;
};

/// All back ends of this compiler.
llvm::ArrayRef<const Backend *> getBackends();

/// The back end of a kind of target; null where there is none.
const Backend *findBackend(llvm::StringRef kind);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_BACKEND_H
