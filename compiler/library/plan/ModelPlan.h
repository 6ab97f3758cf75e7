//===- ModelPlan.h - what all levels of a library have in common ----------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_MODELPLAN_H
#define TG_COMPILER_LIBRARY_PLAN_MODELPLAN_H

#include "compiler/library/plan/Costs.h"
#include "compiler/library/plan/Locations.h"
#include "compiler/library/plan/SlabLayout.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tgx/Tgx.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// An input or output of a function.
struct ValuePlan {
  std::string name;
  mlir::RankedTensorType type;
  /// d >= 0: an extent; d < 0: symbol -1 - d.
  llvm::SmallVector<int64_t> dims;
  /// TG_VALUE_... of abi.h.
  uint32_t flags = 0;
};

/// A relation between extents that is tested before the first kernel.
struct EntryCheckPlan {
  mlir::AffineExpr found, expected;
  ExtentRelation relation;
  /// The message, with %f and %e for the two numbers.
  std::string text;
  unsigned location;
};

/// The contents of a tg_step_t: a launch, a copy or a host step.
struct StepPlan {
  std::string name, ops, layers;
  unsigned location;
  /// Over the function's symbols.
  Cost cost;
};

/// A function of the host that a function calls.
struct HostNeedPlan {
  std::string name;
  unsigned location;
  llvm::SmallVector<mlir::RankedTensorType> inputs, outputs;
};

/// The contents of a function's table, and its entry checks.
struct FunctionPlan {
  tgx::FunctionOp op;
  std::string name;
  /// TG_FUNCTION_... of abi.h.
  uint32_t flags = 0;
  std::vector<ValuePlan> inputs, outputs;
  uint64_t slabBytes = 0;
  /// The checks on entry, then those of loops and branches, the limits of loops
  /// and the bounds of data-dependent sizes, with their numbers by op.
  std::vector<EntryCheckPlan> checks;
  unsigned entryCheckCount = 0;
  llvm::DenseMap<mlir::Operation *, unsigned> requirements;
  std::vector<StepPlan> steps;
  std::vector<HostNeedPlan> hostNeeds;
  /// The place of each tgx.host, and for calls the number in `hostNeeds`.
  struct HostStepPlan {
    unsigned location, need;
  };
  llvm::DenseMap<mlir::Operation *, HostStepPlan> hostSteps;
  Cost cost;

  /// Symbols that inputs bind, and those with the ones computed from them.
  unsigned boundCount = 0, symbolCount = 0;
  /// By symbol: whether it is a number that a run finds, or follows from some.
  std::vector<bool> isFound;
};

/// A kernel whose data can be at fault: one check after each launch.
struct KernelCheckPlan {
  /// Among all checks of the model.
  unsigned number;
  /// TG_ERROR_INDEX, TG_ERROR_DIVIDE or TG_ERROR_NAN.
  int32_t status;
  unsigned location;
  /// "index", "label", "divisor", "result".
  std::string what;
  mlir::Type elementType;
  /// The kernel argument that holds the checked elements, if one does.
  std::optional<unsigned> argument;
  /// The bound of indices, over the kernel's symbols; null for divisors.
  mlir::AffineExpr bound;
};

/// A variable that `pack` writes in another layout.
struct PackPlan {
  tgx::KernelOp kernel;
  std::string variable;
  /// From the end of the packed block's header.
  uint64_t offset;
};

/// A scheduled module, read once; the level threads only read it.
struct ModelPlan {
  mlir::ModuleOp module;
  SlabLayout slab;
  LocationTable locations;
  std::vector<FunctionPlan> functions;
  /// All kernels of the module.
  llvm::DenseMap<mlir::StringAttr, tgx::KernelOp> kernelsByName;
  /// In the order of their first launch.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<KernelCheckPlan, 1>>
      kernels;
  /// The facts that all launches of a kernel share.
  struct KernelFacts {
    std::string ops;
    /// The one at the kernel's location.
    llvm::StringRef mainOp;
    /// Over the kernel's symbols.
    Cost cost;
  };
  llvm::DenseMap<mlir::Operation *, KernelFacts> facts;
  unsigned checkCount = 0;
  /// True if a kernel has checks of floats.
  bool trapsNan = false;
  std::vector<HostTensor> constants;
  llvm::DenseMap<mlir::Attribute, unsigned> constantNumbers;
  std::vector<PackPlan> packs;
  /// The number in `packs` of each tgx.packed.
  llvm::DenseMap<mlir::Operation *, unsigned> packNumbers;
  /// With the header; 0 when nothing is packed.
  uint64_t packedBytes = 0;

  /// The kernel that a launch or packed buffer names.
  tgx::KernelOp kernelOf(mlir::FlatSymbolRefAttr name) const {
    return kernelsByName.lookup(name.getAttr());
  }
  /// The number of a kernel in `kernels`.
  unsigned numberOf(tgx::KernelOp kernel) const {
    return kernels.find(kernel) - kernels.begin();
  }

  /// The largest slab_bytes of the functions.
  uint64_t slabBytes() const;
  /// The lowest version of the ABI that describes the model.
  uint32_t abiVersion() const;

  /// Reads `module`, which went through the phase `schedule`. Fails with a
  /// diagnostic where the tables have no room for what is found.
  static llvm::FailureOr<ModelPlan> create(mlir::ModuleOp module,
                                           bool keepsVariables);
};

/// The buffer whose memory a view, a chain of views or a part of one shows; of
/// elements, that of which they are.
mlir::Value underlyingBuffer(mlir::Value buffer);
/// The same, but the element itself.
mlir::Value storageOf(mlir::Value buffer);
/// Returns the number of runs of a step, as far as it is known: the iterations
/// of the loops around it, with 1 for each unknown one.
mlir::AffineExpr tripsOf(mlir::Operation *step);
/// The bytes of that memory before the first element of `buffer`.
int64_t offsetInMemory(mlir::Value buffer);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_MODELPLAN_H
