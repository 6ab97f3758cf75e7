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
class LLVMContext;
class Module;
} // namespace llvm

namespace tg {

/// Names of the functions of the host that run a kernel, hidden in a library.
/// Both get the task of a launch,
/// an array of 8-byte slots: a pointer for each input and output, an i64 for
/// each symbol, the scratch memory, the error cell and the number of workers.
struct HostKernel {
  /// A tg_body_fn of abi.h: runs some of the tiles. A combining stage is one
  /// more tile.
  std::string body;
  /// The number of tiles, an i64.
  std::string tiles;
};

/// Makes code for one kind of target out of kernels, which are the same for
/// all: their strategies, buffers and launches are decided before.
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

  /// Returns the target of the host code beside the kernels: an x86-64 level.
  virtual Target hostTarget(const Target &target) const = 0;

  /// Emits a kernel at the builder's place, inside a module. Fails with a
  /// diagnostic when an op of the kernel has no emitter.
  virtual llvm::FailureOr<EmittedKernel>
  emitKernel(tgx::KernelOp kernel, const Target &target,
             mlir::OpBuilder &builder) const = 0;

  /// Turns a module of emitted kernels into the LLVM dialect. Fails with a
  /// diagnostic that names an op that is left over.
  virtual llvm::LogicalResult legalize(mlir::ModuleOp kernels) const = 0;

  /// The module of the host that holds the kernels, whose functions other
  /// objects of the library find by name. Null after a diagnostic.
  virtual std::unique_ptr<llvm::Module>
  makeHostModule(mlir::ModuleOp legalized,
                 llvm::LLVMContext &context) const = 0;

  /// Returns the functions that run a kernel on the host.
  virtual HostKernel findHostKernel(const EmittedKernel &emitted) const = 0;
};

/// All back ends of this compiler.
llvm::ArrayRef<const Backend *> getBackends();

/// The back end of a kind of target; null where there is none.
const Backend *findBackend(llvm::StringRef kind);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_BACKEND_H
