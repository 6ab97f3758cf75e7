//===- PackWeights.cpp - weights in the layout that contractions read -----===//
#include "compiler/target/PlanTarget.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/layout/PackingKernels.h"
#include "compiler/transforms/layout/UnpackedWeights.h"
#include "compiler/transforms/numerics/WinogradChoice.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/windows/WinogradRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// The argument of a kernel that a contraction reads as its rhs, and its layout
/// for the target.
struct Weights {
  unsigned argument;
  tgx::LayoutAttrInterface layout;
  /// The source that is packed, with a layout that gives the same panels: the
  /// argument's value, or the variable of which the argument is a view or a
  /// box.
  PackedSource source;
};
} // namespace

namespace {
/// The op before which an operand of a call is packed, and whether the panels
/// serve several runs of the call.
struct PackingPoint {
  Operation *before;
  bool isAhead;
};

/// Packs the weights of a function.
class FunctionPacker {
public:
  FunctionPacker(func::FuncOp function, PackingKernels &kernels,
                 const PlanTarget &target)
      : kernels(kernels), target(target),
        assignsNoVariables(function.getOps<AssignOp>().empty()) {}

  /// Packs the weights of a call. Returns true if any were packed. Calls
  /// `added` for each new call that packs.
  bool pack(tgx::CallOp call, function_ref<void(tgx::CallOp)> added);
  /// Erases unused copies of boxes.
  void eraseUnusedBoxes();

private:
  PackedSource findSource(Value weights);
  PackingPoint packingPointOf(tgx::CallOp call,
                              const PackedSource &source) const;
  std::optional<Weights> findWeights(tgx::CallOp call,
                                     const PackedSource &source,
                                     const Contraction &contraction,
                                     const OperandUse &use) const;
  Value buildPanels(tgx::CallOp call, const PackedSource &source,
                    Operation *before, function_ref<void(tgx::CallOp)> added);

  PackingKernels &kernels;
  const PlanTarget &target;
  bool assignsNoVariables;
  /// The panels, by packed value, packing kernel and block.
  DenseMap<std::tuple<Value, Operation *, Block *>, Value> packed;
  llvm::SetVector<tgx::CallOp> boxes;
};
} // namespace

/// Returns the source of weights: a box of a matrix, or the whole tensor that a
/// view shows.
PackedSource FunctionPacker::findSource(Value weights) {
  Value root = withoutViews(weights);
  if (auto copy = root.getDefiningOp<tgx::CallOp>())
    if (std::optional<MatrixBox> box = kernels.findBox(copy)) {
      boxes.insert(copy);
      return {copy.getInputs().front(), box, {}};
    }
  return {root, std::nullopt, {}};
}

/// Returns the op before which an operand is packed: the op in the block of
/// `source` that contains the call, if the source is a variable and the
/// function assigns none, because the library then packs once per change of the
/// weights. Otherwise the outermost loop that does not compute the weights
/// itself, or the call if there is no such loop.
PackingPoint FunctionPacker::packingPointOf(tgx::CallOp call,
                                            const PackedSource &source) const {
  Value value = source.value;
  Block *block = value.getParentBlock();
  if (assignsNoVariables && value.getDefiningOp<ReadOp>())
    return {block->findAncestorOpInBlock(*call), /*isAhead=*/true};
  PackingPoint point{call, /*isAhead=*/false};
  for (Operation *op = call; op->getBlock() != block;) {
    op = op->getParentOp();
    if (isa<ScanOp, WhileOp>(op))
      point = {op, /*isAhead=*/true};
  }
  return point;
}

/// Returns the packed form of an operand of static extents that nothing else
/// reads; none if there is no layout for it.
std::optional<Weights>
FunctionPacker::findWeights(tgx::CallOp call, const PackedSource &source,
                            const Contraction &contraction,
                            const OperandUse &use) const {
  auto rhs = cast<BlockArgument>(contraction.rhs.value);
  auto type = cast<RankedTensorType>(rhs.getType());
  if (!rhs.hasOneUse() || !type.hasStaticShape() ||
      !isa<FloatType>(type.getElementType()))
    return std::nullopt;
  tgx::LayoutAttrInterface layout = target.chooseLayout(contraction, use);
  if (!layout)
    return std::nullopt;
  Weights weights{rhs.getArgNumber(), layout, source};
  weights.source.layout = layout.getLayoutOfViewed(source.getType(), type);
  if (weights.source.layout)
    return weights;
  // An operand that is not a variable is packed before loops, or by the
  // function.
  weights.source = {call.getInputs()[rhs.getArgNumber()], std::nullopt, layout};
  if (packingPointOf(call, weights.source).isAhead != use.isAhead)
    return std::nullopt;
  return weights;
}

/// Returns the panels of a source, packed by a call before `before`. Panels are
/// built once per block.
Value FunctionPacker::buildPanels(tgx::CallOp call, const PackedSource &source,
                                  Operation *before,
                                  function_ref<void(tgx::CallOp)> added) {
  tgx::KernelOp pack = kernels.pack(source, kernels.find(call).getLoc());
  Value &panels = packed[{source.value, pack, before->getBlock()}];
  if (panels)
    return panels;
  OpBuilder builder(before);
  auto packing = tgx::CallOp::create(
      builder, source.value.getLoc(),
      TypeRange{source.layout.getPackedType(source.getType())},
      FlatSymbolRefAttr::get(pack.getSymNameAttr()), source.value,
      AffineMapAttr::get(AffineMap::get(0, call.getExtents().getNumSymbols(),
                                        call.getContext())));
  added(packing);
  return panels = packing.getResult(0);
}

bool FunctionPacker::pack(tgx::CallOp call,
                          function_ref<void(tgx::CallOp)> added) {
  tgx::KernelOp kernel = kernels.find(call);
  std::optional<Contraction> contraction = contractionOf(kernel);
  auto rhs = contraction ? dyn_cast<BlockArgument>(contraction->rhs.value)
                         : BlockArgument();
  if (!rhs)
    return false;
  PackedSource source = findSource(call.getInputs()[rhs.getArgNumber()]);
  PackingPoint point = packingPointOf(call, source);
  int64_t winograd =
      orderOf(contraction->result.value.getDefiningOp()).getWinograd();
  if (winograd && (winograd::isFilterGradient(*contraction) ||
                   !isWorthTransforming(*contraction, winograd, point.isAhead)))
    return false;
  std::optional<Weights> weights =
      findWeights(call, source, *contraction, {point.isAhead, winograd});
  if (!weights)
    return false;
  Value panels =
      buildPanels(call, weights->source,
                  packingPointOf(call, weights->source).before, added);
  call.setKernelAttr(FlatSymbolRefAttr::get(
      kernels.unpack(kernel, weights->argument, weights->layout)
          .getSymNameAttr()));
  call.getInputsMutable().slice(weights->argument, 1).assign(panels);
  return true;
}

void FunctionPacker::eraseUnusedBoxes() {
  for (tgx::CallOp box : boxes)
    if (box.use_empty())
      box.erase();
}

namespace {
struct PackWeights : tg::impl::PackWeightsBase<PackWeights> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    PlanTarget target(getOperation());
    if (target.getDescription().panelBytes == 0)
      return markAllAnalysesPreserved();
    PackingKernels kernels(getOperation());
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      packFunction(function, kernels, target);
    eraseUnusedKernels(getOperation());
    markAnalysesPreserved<FunctionSymbols>();
  }

  void packFunction(func::FuncOp function, PackingKernels &kernels,
                    const PlanTarget &target) {
    FunctionPacker packer(function, kernels, target);
    SmallVector<tgx::CallOp> calls;
    function.walk([&](tgx::CallOp call) { calls.push_back(call); });
    for (tgx::CallOp call : calls)
      packedContractions += packer.pack(call, [&](tgx::CallOp packing) {
        if (auto symbols = getCachedChildAnalysis<FunctionSymbols>(function))
          symbols->get().add(packing);
      });
    packer.eraseUnusedBoxes();
  }
};
} // namespace
