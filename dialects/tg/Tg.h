//===- Tg.h - the tg dialect: what to compute -----------------------------===//
#ifndef TG_DIALECTS_TG_TG_H
#define TG_DIALECTS_TG_TG_H

#include "dialects/tg/Order.h"
#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/extents/ExtentAnalysis.h"
#include "dialects/tg/extents/ShapeInference.h"
#include "dialects/tg/gradient/RegionGradient.h"
#include "dialects/tg/ops/structured/Contraction.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace tg {

/// Ops of other families whose regions tg.yield may end.
class CustomGradientOp;
class UpdateOp;

/// Runs a block on arguments and appends the yielded values. Returns an empty
/// string, or the failure.
using RunBlock = llvm::function_ref<std::string(
    mlir::Block &block, llvm::ArrayRef<HostTensor> arguments,
    llvm::SmallVectorImpl<HostTensor> &yielded)>;

/// An op that was rebuilt so that it carries more values.
struct Carried {
  mlir::Operation *op;
  /// The indices of the first new value: among the arguments of each region
  /// that has arguments, and among the yielded values and the results.
  unsigned firstArgument, firstYield;
  /// The first region that yields carried values.
  unsigned firstRegion;

  bool yields(mlir::Region &region) const {
    return region.getRegionNumber() >= firstRegion;
  }
};

/// Parse and print the region of an op. The parser fails for a text that uses
/// values of the region outside of it, and removes these uses.
mlir::ParseResult parseBody(mlir::OpAsmParser &parser, mlir::Region &body);
void printBody(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::Region &body);

/// Returns the elements of a list of integers.
llvm::SmallVector<int64_t> integersOf(mlir::ArrayAttr list);

/// Sets an entry of the op's lists of sizes to `size`: the -1 entry that the
/// dynamic operand with this index fills.
void setSizeEntry(mlir::Operation *op, unsigned index, int64_t size);

/// An element that is known at compile time: its number, or another tensor that
/// has the same element at the same position. Empty if nothing is known.
struct KnownElement {
  std::optional<double> number;
  mlir::Value value;

  bool isZero() const { return number == 0.0; }
  bool isKnown() const { return number || value; }
  bool operator==(const KnownElement &other) const {
    return number == other.number && value == other.value;
  }
};

/// The content of all variables, as the resource of effects on state.
struct VariableState : mlir::SideEffects::Resource::Base<VariableState> {
  llvm::StringRef getName() final { return "tg.variable"; }
};

/// The resource of effects that the caller of a run can observe, which must
/// stay in order: calls of host functions, prints, and asserts, which end the
/// run.
struct HostState : mlir::SideEffects::Resource::Base<HostState> {
  llvm::StringRef getName() final { return "tg.host"; }
};

/// Verifies G1 for one type of an op. Messages call the type `what`.
llvm::LogicalResult verifyTensorType(mlir::Operation *op, mlir::Type type,
                                     const llvm::Twine &what);

namespace OpTrait {

/// Verifies G1 and G5.
llvm::LogicalResult verifyGeneralConstraints(mlir::Operation *op);

template <typename ConcreteOp>
class GeneralConstraints
    : public mlir::OpTrait::TraitBase<ConcreteOp, GeneralConstraints> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyGeneralConstraints(op);
  }
};

template <typename ConcreteOp>
class NonDifferentiable
    : public mlir::OpTrait::TraitBase<ConcreteOp, NonDifferentiable> {};

} // namespace OpTrait
} // namespace tg

#include "dialects/tg/TgDialect.h.inc"
#include "dialects/tg/TgEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/tg/TgAttributes.h.inc"

#include "dialects/tg/ElementInterfaces.h.inc"
#include "dialects/tg/RegionInterfaces.h.inc"
#include "dialects/tg/TgInterfaces.h.inc"

namespace tg {

/// Returns true if element i of the result depends only on element i of the
/// operands. This holds for elementwise ops, and for constants, which have no
/// operands.
bool isElementwise(mlir::Operation *op);

/// Returns the root value behind views, or `value` if it is not a view.
mlir::Value withoutViews(mlir::Value value);

} // namespace tg

#endif // TG_DIALECTS_TG_TG_H
