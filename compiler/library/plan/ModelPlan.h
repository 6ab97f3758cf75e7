//===- ModelPlan.h - the data that the targets of a plan share ------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_MODELPLAN_H
#define TG_COMPILER_LIBRARY_PLAN_MODELPLAN_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/plan/Costs.h"
#include "compiler/library/plan/Locations.h"
#include "compiler/library/plan/SlabLayout.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tgx/functions/BufferPlaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// An input or output of a function.
struct ValuePlan {
  std::string name;
  mlir::RankedTensorType type;
  /// The dimensions: d >= 0 is a constant extent, d < 0 is symbol -1 - d.
  llvm::SmallVector<int64_t> dims;
  /// TG_VALUE_... of abi.h.
  uint32_t flags = 0;
};

/// A relation between extents that is checked before the first kernel, or by a
/// step.
struct EntryCheckPlan {
  mlir::AffineExpr found, expected;
  ExtentRelation relation;
  /// The message, with %f for the number found and %e for the number expected.
  std::string text;
  unsigned location;
};

/// The contents of a tg_step_t: a launch, a copy or a host step.
struct StepPlan {
  std::string name, ops, layers;
  unsigned location;
  /// The cost over the symbols of the function.
  Cost cost;
};

/// A host function that a function calls.
struct HostNeedPlan {
  std::string name;
  unsigned location;
  llvm::SmallVector<mlir::RankedTensorType> inputs, outputs;
};

/// The contents of a tg_function_t, and its entry checks.
struct FunctionPlan {
  tgx::FunctionOp op;
  std::string name;
  /// TG_FUNCTION_... of abi.h.
  uint32_t flags = 0;
  std::vector<ValuePlan> inputs, outputs;
  uint64_t slabBytes = 0;
  /// First the `entryCheckCount` checks on entry. Then the checks of steps,
  /// loops and branches, the iteration limits of loops and the bounds of
  /// data-dependent sizes; `requirements` maps their ops to their indices.
  std::vector<EntryCheckPlan> checks;
  unsigned entryCheckCount = 0;
  llvm::DenseMap<mlir::Operation *, unsigned> requirements;
  std::vector<StepPlan> steps;
  std::vector<HostNeedPlan> hostNeeds;
  /// The location of each tgx.host and, for calls, the index in `hostNeeds`, or
  /// in ModelPlan::customKernels.
  struct HostStepPlan {
    unsigned location, need;
  };
  llvm::DenseMap<mlir::Operation *, HostStepPlan> hostSteps;
  Cost cost;

  /// The number of symbols that inputs bind, and the number of all symbols,
  /// including the computed ones.
  unsigned boundCount = 0, symbolCount = 0;
  /// True for each symbol that is a data-dependent size or follows from one.
  std::vector<bool> isDataDependent;
};

/// A check of elements in a kernel.
struct KernelCheckPlan {
  /// The index among all checks of the model.
  unsigned index;
  /// TG_ERROR_INDEX, TG_ERROR_DIVIDE or TG_ERROR_NAN.
  int32_t status;
  unsigned location;
  /// The error cell of the first predicate; the others follow.
  unsigned firstCell;
  /// The message of each predicate.
  llvm::SmallVector<std::string, 2> messages;
  /// The bound of indices, over the kernel's symbols; null for other checks.
  mlir::AffineExpr bound;
};

/// A variable that `pack` writes in another layout.
struct PackPlan {
  tgx::KernelOp kernel;
  std::string variable;
  /// The offset in bytes from the end of the packed block's header.
  uint64_t offset;
};

/// The memory layout of an output of a kernel, over the symbols of the kernel:
/// the number of contiguous rows, their size, and the distance between their
/// beginnings, in bytes.
struct ResultRows {
  mlir::AffineExpr count, bytes, stride;
};

/// The content of the module of a plan after scheduling, read once. Threads
/// that compile for the targets only read it.
struct ModelPlan {
  mlir::ModuleOp module;
  /// The back end for the kind of the plan's targets.
  const Backend *backend = nullptr;
  /// The targets of the plan in ascending order, at least one.
  std::vector<Target> targets;
  SlabLayout slab;
  LocationTable locations;
  std::vector<FunctionPlan> functions;
  /// All kernels of the module.
  llvm::DenseMap<mlir::StringAttr, tgx::KernelOp> kernelsByName;
  /// The launched kernels with their checks, in the order of first launch.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<KernelCheckPlan, 1>>
      kernels;
  /// The facts that all launches of a kernel share.
  struct KernelFacts {
    std::string ops;
    /// The op at the location of the kernel.
    llvm::StringRef mainOp;
    /// The cost over the symbols of the kernel.
    Cost cost;
    /// The layouts of the outputs.
    llvm::SmallVector<ResultRows, 1> results;
  };
  llvm::DenseMap<mlir::Operation *, KernelFacts> facts;
  /// The kernels of users that functions launch on a device: a step for each
  /// kernel and number of parameters, in the order of first launch.
  std::vector<tgx::HostOp> customKernels;
  unsigned checkCount = 0;
  /// True if a kernel has checks of floats.
  bool trapsNan = false;
  std::vector<HostTensor> constants;
  llvm::DenseMap<mlir::Attribute, unsigned> constantIndices;
  std::vector<PackPlan> packs;
  /// The index in `packs` of each tgx.packed.
  llvm::DenseMap<mlir::Operation *, unsigned> packIndices;
  /// The size of the packed block with its header; 0 if nothing is packed.
  uint64_t packedBytes = 0;

  /// Returns true if the functions run on a device.
  bool isForDevice() const { return backend->getDeviceCode(); }
  /// Returns true if a step launches a kernel of the user.
  bool launchesCustom(tgx::HostOp host) const {
    return isForDevice() && host.getKernel();
  }
  /// Returns the kernel that a launch or packed buffer names.
  tgx::KernelOp kernelOf(mlir::FlatSymbolRefAttr name) const {
    return kernelsByName.lookup(name.getAttr());
  }
  /// Returns the index of a kernel in `kernels`.
  unsigned indexOf(tgx::KernelOp kernel) const {
    return kernels.find(kernel) - kernels.begin();
  }

  /// Returns the largest slabBytes of the functions.
  uint64_t slabBytes() const;
  /// Returns the lowest ABI version that can describe the model.
  uint32_t abiVersion() const;

  /// Reads `module`, which went through the phase `schedule`. Emits a
  /// diagnostic and fails if it exceeds a limit of the tables.
  static llvm::FailureOr<ModelPlan> create(mlir::ModuleOp module,
                                           bool keepsVariables);
};

/// Returns the number of runs of a step as far as it can be computed before a
/// run: the product of the iteration counts of the tgx.for ops around it. A
/// tgx.while counts as one iteration.
mlir::AffineExpr iterationsOf(mlir::Operation *step);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_MODELPLAN_H
