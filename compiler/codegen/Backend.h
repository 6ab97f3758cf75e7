//===- Backend.h - the code generator for one kind of target --------------===//
#ifndef TG_COMPILER_CODEGEN_BACKEND_H
#define TG_COMPILER_CODEGEN_BACKEND_H

#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/codegen/kernel/StageClock.h"
#include "compiler/target/Target.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/CodeGen.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tg {

/// The names of the CPU functions that run a kernel. Both have hidden
/// visibility in the library and take the argument block (task) of a launch: an
/// array of 8-byte slots that holds a pointer for each input and output, an i64
/// for each symbol, the scratch memory, the error cells and the number of
/// workers.
struct CpuKernel {
  /// The function that runs a range of tiles, a tg_body_fn of abi.h. A finalize
  /// step is one more tile after the others.
  std::string body;
  /// The function that returns the number of tiles as an i64.
  std::string tiles;
};

/// The launch of a kernel of an image. A parameter has 8 bytes, and there is
/// one for each slot of the argument block, in the same order.
struct KernelLaunch {
  /// The name of the kernel in the image.
  std::string entry;
  unsigned parameterCount;
  /// The number of threads of a block. Blocks and grid have one dimension.
  unsigned blockThreads;
  /// The number of threads over the kernel's symbols, which may be 0. The last
  /// block may have more: these do nothing.
  mlir::AffineMap threads;
  /// The name of the kernel that runs in place of `entry` if `excess`, over the
  /// kernel's symbols, is positive: its indices have 64 bits. Empty if `entry`
  /// runs for any symbols.
  std::string wideEntry = {};
  mlir::AffineMap excess = {};
  /// The scratch memory of the launch in bytes, over the same symbols: a
  /// multiple of the buffer alignment. Null if there is none.
  mlir::AffineMap scratchBytes = {};
};

/// The code of kernels for a device.
struct DeviceImage {
  std::string code;
  /// The launch of each kernel.
  llvm::SmallVector<KernelLaunch> launches;
  /// The launch of a kernel that copies bytes. Its parameters are the address
  /// of the source, or 0 for zeros, the address of the target, the number of
  /// bytes, the report (tg_embedded_report_t), and the number of the launch.
  /// The symbol of `threads` is the number of bytes.
  KernelLaunch copy;
};

/// The code of a kernel of the user, as an image of its own with this kernel.
struct CustomImage {
  std::string code, entry;
};

/// The device that an image needs.
struct DeviceRequirement {
  /// A TG_DEVICE_... of abi.h.
  int32_t type;
  /// The capability, as in tg_model_t.
  uint32_t capability;
};

/// The code of kernels as functions of the CPU. The tables of every library are
/// compiled like them, also if its kernels run on a device.
class CpuCode {
public:
  virtual ~CpuCode() = default;

  /// Returns the LLVM module with the CPU code of legalized kernels. Other
  /// objects of the library refer to its functions by name. Returns null after
  /// a diagnostic.
  virtual std::unique_ptr<llvm::Module>
  makeCpuModule(mlir::ModuleOp legalized, llvm::LLVMContext &context) const = 0;

  /// Returns the functions that run a kernel.
  virtual CpuKernel findCpuKernel(const EmittedKernel &emitted) const = 0;

  /// Returns the target of tables, whose code every CPU runs.
  virtual Target getTablesTarget() const = 0;

  /// Optimizes `module`, the code of `op`, for a target. Emits a diagnostic on
  /// `op` on failure.
  virtual llvm::LogicalResult optimize(llvm::Module &module,
                                       mlir::Operation *op,
                                       const Target &target) const = 0;

  /// Optimizes `module` and writes its object file or assembly to `result`.
  /// Emits a diagnostic on `op` on failure. `clock` measures the stages from
  /// `optimization` on. Several threads may call it at once.
  virtual llvm::LogicalResult write(llvm::Module &module, mlir::Operation *op,
                                    const Target &target,
                                    llvm::CodeGenFileType kind,
                                    llvm::SmallVectorImpl<char> &result,
                                    StageClock &clock) const = 0;

  /// Returns the highest target (Target::level) that this CPU runs.
  virtual int getNativeLevel() const = 0;

  /// Returns the error in the targets of a library, "" if they are valid.
  virtual std::string checkLevels(llvm::ArrayRef<int> levels) const = 0;

  /// Returns true if code can be tuned for a CPU of this name (Target::tune).
  virtual bool canTuneFor(llvm::StringRef cpu) const = 0;

  /// Returns an address in the file that LLVM's code generator was loaded from,
  /// which identifies it.
  virtual const void *getCodeGenerator() const = 0;
};

/// The code of kernels as images for a device.
class DeviceCode {
public:
  virtual ~DeviceCode() = default;

  /// Compiles kernels of a module, of which there may be none, to an image. The
  /// same kernels give the same image. Fails with a diagnostic if an op of a
  /// kernel has no lowering.
  virtual llvm::FailureOr<DeviceImage>
  compile(mlir::ModuleOp module, llvm::ArrayRef<tgx::KernelOp> kernels,
          const Target &target) const = 0;

  /// Compiles the kernel of the user that `step` launches. It has a parameter
  /// of 8 bytes for each operand and each extent of the step, then the report
  /// (tg_embedded_report_t) and the number of the next launch: it does nothing
  /// after a launch that found an error. Fails with a diagnostic if the source
  /// does not compile or has other parameters.
  virtual llvm::FailureOr<CustomImage>
  compileCustom(tgx::HostOp step, const Target &target) const = 0;

  /// Returns the device that the images for a target need.
  virtual DeviceRequirement getRequirement(const Target &target) const = 0;
};

/// Generates code for one kind of target from kernels. Kernels are the same for
/// all targets: earlier passes have chosen their strategies, buffers and
/// launches. A back end has one of both forms of code.
class Backend {
public:
  virtual ~Backend() = default;

  /// Returns the kind of this back end's targets, for example "cpu".
  virtual llvm::StringRef getKind() const = 0;

  /// Returns the numbers of this back end's targets (Target::level), ascending.
  virtual llvm::SmallVector<int> getLevels() const = 0;

  /// Returns the name of a target in options, reports and names of files:
  /// "x86-64-v3".
  virtual std::string nameOf(int level) const = 0;

  /// Returns the number of the target that a word of an option means: its name,
  /// or a shorter one of the back end. Returns none for other words.
  virtual std::optional<int> parseTarget(llvm::StringRef word) const;

  /// Registers the dialects of emitted kernels, and the interface models that
  /// let ops emit themselves as kernels.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;

  /// Returns the description of a target that passes and emitters read.
  virtual TargetDescription describe(const Target &target) const = 0;

  /// Emits a kernel at the insertion point of `builder`, which lies in a
  /// module. Fails with a diagnostic if an op of the kernel has no emitter.
  virtual llvm::FailureOr<EmittedKernel>
  emitKernel(tgx::KernelOp kernel, const Target &target,
             mlir::OpBuilder &builder) const = 0;

  /// Converts a module of emitted kernels to the LLVM dialect. Fails with a
  /// diagnostic that names the first op that cannot be converted.
  virtual llvm::LogicalResult legalize(mlir::ModuleOp kernels) const = 0;

  /// Return the code of kernels; null if it has another form.
  virtual const CpuCode *getCpuCode() const { return nullptr; }
  virtual const DeviceCode *getDeviceCode() const { return nullptr; }
};

/// Returns all back ends of this compiler.
llvm::ArrayRef<const Backend *> getBackends();

/// Returns the back end for a kind of target, or null if there is none.
const Backend *findBackend(llvm::StringRef kind);

/// Returns the back end of the CPU that runs libraries: the first one with CPU
/// code.
const Backend &getCpuBackend();

} // namespace tg

#endif // TG_COMPILER_CODEGEN_BACKEND_H
