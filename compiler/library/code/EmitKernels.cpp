//===- EmitKernels.cpp - the pass that emits kernels as loops -------------===//
#include "compiler/codegen/Backend.h"
#include "compiler/library/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tg {
#define GEN_PASS_DEF_EMITKERNELS
#include "compiler/library/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// The attributes of the function of a kernel: the sizes of its scratch memory
/// and of its partials buffer, and the number of threads on a device.
static constexpr StringLiteral kScratchBytes = "tgx.scratch_bytes";
static constexpr StringLiteral kPartialsBytes = "tgx.partials_bytes";
static constexpr StringLiteral kThreads = "tgx.threads";

EmittedKernel tg::describeEmitted(func::FuncOp function) {
  auto mapOf = [&](StringRef name) {
    auto map = function->getAttrOfType<AffineMapAttr>(name);
    return map ? map.getValue() : AffineMap();
  };
  return {function.getSymName().str(), mapOf(kScratchBytes),
          mapOf(kPartialsBytes), mapOf(kThreads)};
}

/// Attaches the numbers that the library records of a kernel to its function.
static void attachNumbers(const EmittedKernel &kernel, Operation *function) {
  if (kernel.scratchBytes)
    function->setAttr(kScratchBytes, AffineMapAttr::get(kernel.scratchBytes));
  if (kernel.partialsBytes)
    function->setAttr(kPartialsBytes, AffineMapAttr::get(kernel.partialsBytes));
  if (kernel.threads)
    function->setAttr(kThreads, AffineMapAttr::get(kernel.threads));
}

namespace {
struct EmitKernels : tg::impl::EmitKernelsBase<EmitKernels> {
  using EmitKernelsBase::EmitKernelsBase;

  void runOnOperation() override {
    const Backend *backend = findBackend(kind);
    if (!backend)
      optionError("kind") << "a back end, found '" << kind << "'";
    if (!backend || failed(checkOptions(*backend)))
      return signalPassFailure();
    if (failed(emitAll(getOperation(), *backend)))
      signalPassFailure();
  }

  /// Emits the kernels of a module and of the plans in it, and erases all else.
  LogicalResult emitAll(ModuleOp module, const Backend &backend) {
    llvm::StringSet<> names;
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      auto plan = dyn_cast<ModuleOp>(op);
      if (plan && isForKind(plan)) {
        if (failed(emitAll(plan, backend)))
          return failure();
        continue;
      }
      auto kernel = dyn_cast<tgx::KernelOp>(op);
      if (kernel && failed(emit(kernel, backend, names)))
        return failure();
      op.erase();
    }
    return success();
  }

  bool isForKind(ModuleOp plan) {
    auto target = plan->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr);
    return target && target.getKind() == kind;
  }

  LogicalResult checkOptions(const Backend &backend) {
    SmallVector<int> levels = backend.getLevels();
    if (!llvm::is_contained(levels, level.getValue())) {
      std::string last = std::to_string(levels.pop_back_val());
      std::string others =
          llvm::join(llvm::map_range(
                         levels, [](int each) { return std::to_string(each); }),
                     ", ");
      return optionError("level") << others << (others.empty() ? "" : " or ")
                                  << last << ", found " << level.getValue();
    }
    if (optimization < 0 || optimization > 3)
      return optionError("optimization")
             << "0 to 3, found " << optimization.getValue();
    return success();
  }

  /// Starts a message about an option. It has no location, because no line of
  /// the module is to blame.
  InFlightDiagnostic optionError(StringRef option) {
    return emitError(UnknownLoc::get(&getContext()))
           << "option '" << option << "': expected ";
  }

  /// Emits the functions of a kernel and inserts them before the kernel.
  LogicalResult emit(tgx::KernelOp kernel, const Backend &backend,
                     llvm::StringSet<> &names) {
    Operation *before = kernel->getPrevNode();
    OpBuilder builder(kernel);
    FailureOr<EmittedKernel> emitted = backend.emitKernel(
        kernel, Target{level, optimization, /*tune=*/"", kind}, builder);
    if (failed(emitted))
      return failure();
    for (Operation *function = kernel->getPrevNode(); function != before;
         function = function->getPrevNode()) {
      StringRef name = SymbolTable::getSymbolName(function).getValue();
      if (!names.insert(name).second)
        return kernel.emitOpError()
               << "expected another name: two functions would be called '"
               << name << "'";
      if (name == emitted->name)
        attachNumbers(*emitted, function);
    }
    return success();
  }
};
} // namespace
