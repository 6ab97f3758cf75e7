//===- PackWeights.cpp - weights in the layout that contractions read -----===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/layout/PackingKernels.h"
#include "compiler/transforms/layout/UnpackedWeights.h"
#include "compiler/transforms/layout/WinogradChoice.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// The argument of a kernel that a contraction reads as its rhs, and how the
/// target wants it.
struct Weights {
  unsigned argument;
  tgx::PanelsAttr layout;
  /// What is packed, with a layout that gives the same panels: the argument's
  /// value, or the variable that it is a view or a box of.
  PackedSource source;
};
} // namespace

/// The dimension of the rhs that counts columns, where the sum runs through all
/// others as they follow each other; none elsewhere.
static std::optional<unsigned> findColumns(const Contraction &contraction) {
  if (!contraction.isMatrixProduct() && !contraction.findWindows())
    return std::nullopt;
  if (contraction.isMatrixProduct() && contraction.rhs.indices.size() != 2)
    return std::nullopt;
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  std::optional<unsigned> axis = contraction.rhs.axisOf(column);
  SmallVector<unsigned> rows = contraction.dimensionsOf(DimensionKind::reduced);
  for (auto [number, index] : llvm::enumerate(contraction.rhs.indices)) {
    if (axis && number == *axis)
      continue;
    size_t row = axis && number > *axis ? number - 1 : number;
    if (row >= rows.size() || index.getDimension() != rows[row])
      return std::nullopt;
  }
  return axis;
}

namespace {
/// Which layouts there are.
struct LayoutOptions {
  int64_t panelBytes;
  /// Whether the operand is packed once for several runs of the contraction:
  /// per change of the weights, or before a loop.
  bool isAhead;
  /// How a convolution is transformed; none for sums as they stand.
  std::optional<WinogradChoice> winograd;
};
} // namespace

/// Columns of the narrowest panel of a transformed filter: a vector of the
/// widest level.
static constexpr int64_t kNarrowestPanel = 16;

/// The filter of a convolution transformed for Winograd's algorithm.
static tgx::PanelsAttr transformedLayout(const Contraction &contraction,
                                         int64_t panelBytes,
                                         int64_t positions) {
  auto type = cast<RankedTensorType>(contraction.rhs.value.getType());
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  unsigned axis = *contraction.rhs.axisOf(column);
  int64_t width = panelBytes / elementBytes(type.getElementType());
  int64_t needed = llvm::PowerOf2Ceil(type.getDimSize(axis));
  return tgx::PanelsAttr::get(
      type.getContext(), axis,
      std::min(width, std::max(needed, kNarrowestPanel)),
      /*winograd=*/positions);
}

/// Rows of a result that read packed columns at least, where the function packs
/// them itself: of fewer the copies of tiles take less time than panels that go
/// through memory.
static constexpr int64_t kLeastPackedRows = 384;

/// Whether the columns of windows are worth packing by the function that reads
/// them: they are no neighbours, so that each tile of the kernel would
/// transpose them. Of few columns kernels read single elements.
static bool isWorthPacking(const Contraction &contraction, unsigned axis) {
  auto type = cast<RankedTensorType>(contraction.rhs.value.getType());
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!windows || axis + 1 == type.getRank() ||
      type.getDimSize(axis) < kNarrowestPanel)
    return false;
  std::optional<int64_t> rows = staticExtent(productOf(
      ArrayRef(contraction.result.extents).drop_back(), type.getContext()));
  // Each residue of positions meets taps of its own.
  int64_t residues = 1;
  for (const WindowAxis &window : windows->axes)
    residues *= window.divisor;
  return !rows || *rows / residues >= kLeastPackedRows;
}

/// The layout in which a contraction reads its rhs, an argument of static
/// extents; null for that of the operand itself.
static tgx::PanelsAttr chooseLayout(const Contraction &contraction,
                                    const LayoutOptions &options) {
  if (options.winograd)
    return transformedLayout(contraction, options.panelBytes,
                             options.winograd->positions);
  // Other columns are copied by each tile of the kernel, which needs no memory.
  std::optional<unsigned> axis = findColumns(contraction);
  if (!axis || !(options.isAhead || isWorthPacking(contraction, *axis)))
    return {};
  Type type = getElementTypeOrSelf(contraction.rhs.value);
  return tgx::PanelsAttr::get(type.getContext(), *axis,
                              options.panelBytes / elementBytes(type),
                              /*winograd=*/0);
}

/// The layout of a tensor whose panels are those that `layout` makes of a view
/// of it; null for none. A filter of 1x1 is a matrix to its contraction.
static tgx::PanelsAttr layoutOfViewed(RankedTensorType viewed,
                                      RankedTensorType view,
                                      tgx::PanelsAttr layout) {
  if (viewed == view)
    return layout;
  if (layout.getWinograd() || viewed.getRank() < 2)
    return {};
  bool isLast = layout.getAxis() + 1 == view.getRank();
  if (!isLast && layout.getAxis() > 0)
    return {};
  unsigned axis = isLast ? viewed.getRank() - 1 : 0;
  if (viewed.getDimSize(axis) != view.getDimSize(layout.getAxis()))
    return {};
  return tgx::PanelsAttr::get(layout.getContext(), axis, layout.getWidth(),
                              /*winograd=*/0);
}

/// The contraction of a kernel; none in kernels of others.
static std::optional<Contraction> contractionOf(tgx::KernelOp kernel) {
  auto products = kernel.getBlock().getOps<ContractionOpInterface>();
  ExtentAnalysis analysis(kernel.getContext());
  if (kernel.getStrategy() != tgx::Strategy::contraction || products.empty() ||
      failed(kernel.analyzeExtents(analysis)))
    return std::nullopt;
  return (*products.begin()).getContraction(analysis);
}

/// How a kernel's contraction of arguments is computed by transformed tiles;
/// none for others and where it is not.
static std::optional<WinogradChoice>
chooseTransform(tgx::KernelOp kernel, const Contraction &contraction,
                StringRef convAlgorithm, bool isAhead) {
  if (convAlgorithm == "direct" || !isa<BlockArgument>(contraction.lhs.value) ||
      !isa<BlockArgument>(contraction.rhs.value))
    return std::nullopt;
  bool reduces = !kernel.getBlock().getOps<ReductionOpInterface>().empty();
  return chooseWinograd(contraction,
                        {isAhead, reduces,
                         /*isForced=*/convAlgorithm == "winograd"});
}

namespace {
/// The op before which an operand of a call is packed, and whether it then
/// serves several runs of the call.
struct PackingPlace {
  Operation *before;
  bool isAhead;
};

/// Packs the weights of a function.
class FunctionPacker {
public:
  FunctionPacker(func::FuncOp function, PackingKernels &kernels,
                 int64_t panelBytes, StringRef convAlgorithm)
      : kernels(kernels), panelBytes(panelBytes), convAlgorithm(convAlgorithm),
        keepsWeights(function.getOps<AssignOp>().empty()) {}

  /// Whether weights of the call were packed. `added` hears of calls that pack.
  bool pack(tgx::CallOp call, function_ref<void(tgx::CallOp)> added);
  /// Erases copies of boxes that nothing reads any more.
  void eraseUnread();

private:
  PackedSource findSource(Value weights);
  PackingPlace placeOf(tgx::CallOp call, const PackedSource &source) const;
  std::optional<Weights> findWeights(tgx::CallOp call,
                                     const PackedSource &source,
                                     const Contraction &contraction,
                                     const LayoutOptions &options) const;
  Value buildPanels(tgx::CallOp call, const PackedSource &source,
                    Operation *before, function_ref<void(tgx::CallOp)> added);

  PackingKernels &kernels;
  int64_t panelBytes;
  StringRef convAlgorithm;
  bool keepsWeights;
  /// By what is packed, by which kernel, and the block in which.
  DenseMap<std::tuple<Value, Operation *, Block *>, Value> packed;
  llvm::SetVector<tgx::CallOp> boxes;
};
} // namespace

/// What weights are a copy of: a box, or a view of the whole.
PackedSource FunctionPacker::findSource(Value weights) {
  Value root = withoutViews(weights);
  if (auto copy = root.getDefiningOp<tgx::CallOp>())
    if (std::optional<MatrixBox> box = kernels.findBox(copy)) {
      boxes.insert(copy);
      return {copy.getInputs().front(), box, {}};
    }
  return {root, std::nullopt, {}};
}

/// Before all of a function that leaves variables as they are, else before the
/// outermost loop that does not make the weights itself.
PackingPlace FunctionPacker::placeOf(tgx::CallOp call,
                                     const PackedSource &source) const {
  Value value = source.value;
  Block *block = value.getParentBlock();
  if (keepsWeights && value.getDefiningOp<ReadOp>())
    return {block->findAncestorOpInBlock(*call), /*isAhead=*/true};
  PackingPlace place{call, /*isAhead=*/false};
  for (Operation *op = call; op->getBlock() != block;) {
    op = op->getParentOp();
    if (isa<ScanOp, WhileOp>(op))
      place = {op, /*isAhead=*/true};
  }
  return place;
}

/// How an operand of static extents that nothing else reads is packed; none
/// where there is no layout for it.
std::optional<Weights>
FunctionPacker::findWeights(tgx::CallOp call, const PackedSource &source,
                            const Contraction &contraction,
                            const LayoutOptions &options) const {
  auto rhs = cast<BlockArgument>(contraction.rhs.value);
  auto type = cast<RankedTensorType>(rhs.getType());
  if (!rhs.hasOneUse() || !type.hasStaticShape() ||
      !isa<FloatType>(type.getElementType()))
    return std::nullopt;
  tgx::PanelsAttr layout = chooseLayout(contraction, options);
  if (!layout)
    return std::nullopt;
  Weights weights{rhs.getArgNumber(), layout, source};
  weights.source.layout = layoutOfViewed(source.getType(), type, layout);
  if (weights.source.layout)
    return weights;
  // What is no variable itself is packed before loops, or by the function.
  weights.source = {call.getInputs()[rhs.getArgNumber()], std::nullopt, layout};
  if (placeOf(call, weights.source).isAhead != options.isAhead)
    return std::nullopt;
  return weights;
}

/// The panels that a call makes before this op, each once in a block.
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
  PackingPlace place = placeOf(call, source);
  std::optional<WinogradChoice> choice =
      chooseTransform(kernel, *contraction, convAlgorithm, place.isAhead);
  if (choice && !choice->isPacked) {
    call.setKernelAttr(FlatSymbolRefAttr::get(
        kernels.transform(kernel, choice->positions).getSymNameAttr()));
    return false;
  }
  std::optional<Weights> weights = findWeights(
      call, source, *contraction, {panelBytes, place.isAhead, choice});
  if (!weights)
    return false;
  Value panels = buildPanels(call, weights->source,
                             placeOf(call, weights->source).before, added);
  call.setKernelAttr(FlatSymbolRefAttr::get(
      kernels.unpack(kernel, weights->argument, weights->layout)
          .getSymNameAttr()));
  call.getInputsMutable().slice(weights->argument, 1).assign(panels);
  return true;
}

void FunctionPacker::eraseUnread() {
  for (tgx::CallOp box : boxes)
    if (box.use_empty())
      box.erase();
}

namespace {
struct PackWeights : tg::impl::PackWeightsBase<PackWeights> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    if (panelBytes == 0)
      return markAllAnalysesPreserved();
    PackingKernels kernels(getOperation());
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      packFunction(function, kernels);
    eraseUnusedKernels(getOperation());
    markAnalysesPreserved<FunctionSymbols>();
  }

  void packFunction(func::FuncOp function, PackingKernels &kernels) {
    FunctionPacker packer(function, kernels, panelBytes, convAlgorithm);
    SmallVector<tgx::CallOp> calls;
    function.walk([&](tgx::CallOp call) { calls.push_back(call); });
    for (tgx::CallOp call : calls)
      packedContractions += packer.pack(call, [&](tgx::CallOp packing) {
        if (auto symbols = getCachedChildAnalysis<FunctionSymbols>(function))
          symbols->get().add(packing);
      });
    packer.eraseUnread();
  }
};
} // namespace
