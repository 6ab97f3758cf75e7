//===- PackWeights.cpp - weights in the layout that contractions read -----===//
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/UnpackedWeights.h"
#include "compiler/transforms/WinogradChoice.h"
#include "dialects/tg/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

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
  /// What is packed, and its layout, which gives the same panels: the
  /// argument's value, or the variable that it is a view of.
  Value source;
  tgx::PanelsAttr sourceLayout;
};

/// Makes the kernels that packing needs, each once.
class PackingKernels {
public:
  explicit PackingKernels(ModuleOp module) : symbols(module) {}

  /// The kernel that is called.
  tgx::KernelOp find(tgx::CallOp call) const {
    return symbols.lookup<tgx::KernelOp>(call.getKernel());
  }
  /// The kernel that packs a tensor of this type.
  tgx::KernelOp pack(RankedTensorType type, tgx::PanelsAttr layout,
                     Location loc);
  /// `kernel` with panels in place of the weights.
  tgx::KernelOp unpack(tgx::KernelOp kernel, const Weights &weights);
  /// `kernel` by Winograd's algorithm for tiles of so many positions along an
  /// axis, of operands that it transforms itself.
  tgx::KernelOp transform(tgx::KernelOp kernel, int64_t positions);

private:
  SymbolTable symbols;
  llvm::StringMap<tgx::KernelOp> known;
};
} // namespace

/// ()[s...] -> (the static extents of the type).
static AffineMapAttr extentsOf(RankedTensorType type, unsigned symbolCount) {
  SmallVector<AffineExpr> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(getAffineConstantExpr(extent, type.getContext()));
  return AffineMapAttr::get(
      AffineMap::get(0, symbolCount, extents, type.getContext()));
}

tgx::KernelOp PackingKernels::pack(RankedTensorType type,
                                   tgx::PanelsAttr layout, Location loc) {
  std::string shape = llvm::join(
      llvm::map_range(type.getShape(),
                      [](int64_t extent) { return std::to_string(extent); }),
      "x");
  std::string name = "pack_" + shape + "_" +
                     rowOf(elementOf(type.getElementType())).name +
                     (layout.getAxis() + 1 < type.getRank()
                          ? "_columns" + std::to_string(layout.getAxis())
                          : "") +
                     (layout.getWinograd() ? layout.getSuffix() : "");
  tgx::KernelOp &kernel = known[name];
  if (kernel)
    return kernel;
  OpBuilder builder(type.getContext());
  kernel = tgx::KernelOp::create(
      builder, loc, name, tgx::Strategy::custom,
      /*symbol_count=*/0, builder.getArrayAttr({extentsOf(type, 0)}),
      builder.getArrayAttr({builder.getUnitAttr()}),
      /*algorithm=*/nullptr, /*argument_rows=*/nullptr,
      /*output_rows=*/nullptr, /*streamed_outputs=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  Value panels = tgx::PackOp::create(builder, loc, layout.getPackedType(type),
                                     body.addArgument(type, loc), layout);
  tgx::YieldOp::create(builder, loc, panels);
  symbols.insert(kernel);
  return kernel;
}

tgx::KernelOp PackingKernels::unpack(tgx::KernelOp kernel,
                                     const Weights &weights) {
  std::string name = kernel.getSymName().str() + weights.layout.getSuffix();
  tgx::KernelOp &packed = known[name];
  if (packed)
    return packed;
  packed = kernel.clone();
  packed.setSymName(name);
  packed.setAlgorithm(weights.layout.getAlgorithm());
  Block &body = packed.getBlock();
  BlockArgument argument = body.getArgument(weights.argument);
  auto type = cast<RankedTensorType>(argument.getType());
  RankedTensorType panels = weights.layout.getPackedType(type);

  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  argument.setType(panels);
  auto unpacked = tgx::UnpackOp::create(builder, argument.getLoc(), type,
                                        argument, weights.layout);
  argument.replaceAllUsesExcept(unpacked, unpacked);
  SmallVector<Attribute> extents(kernel.getArgumentExtents().getValue());
  extents[weights.argument] = extentsOf(panels, kernel.getSymbolCount());
  packed.setArgumentExtentsAttr(builder.getArrayAttr(extents));
  symbols.insert(packed);
  return packed;
}

tgx::KernelOp PackingKernels::transform(tgx::KernelOp kernel,
                                        int64_t positions) {
  StringRef algorithm = tgx::winogradAlgorithm(positions);
  std::string name = (kernel.getSymName() + "_" + algorithm).str();
  tgx::KernelOp &transformed = known[name];
  if (transformed)
    return transformed;
  transformed = kernel.clone();
  transformed.setSymName(name);
  transformed.setAlgorithm(algorithm);
  symbols.insert(transformed);
  return transformed;
}

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
  /// Whether the operand is packed once per change of the weights, not by the
  /// function.
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

/// Whether the weights that a call reads are a variable, or a view of one.
static bool readsVariable(tgx::CallOp call, const Contraction &contraction) {
  auto rhs = dyn_cast<BlockArgument>(contraction.rhs.value);
  return rhs && withoutViews(call.getInputs()[rhs.getArgNumber()])
                    .getDefiningOp<ReadOp>();
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

/// The rhs of the called kernel's contraction, if it is an argument of static
/// extents that nothing else reads and there is a layout for; none else.
static std::optional<Weights> findWeights(tgx::CallOp call,
                                          const Contraction &contraction,
                                          const LayoutOptions &options) {
  auto rhs = dyn_cast<BlockArgument>(contraction.rhs.value);
  if (!rhs || !rhs.hasOneUse())
    return std::nullopt;
  auto type = cast<RankedTensorType>(rhs.getType());
  if (!type.hasStaticShape() || !isa<FloatType>(type.getElementType()))
    return std::nullopt;
  Value source = call.getInputs()[rhs.getArgNumber()];
  tgx::PanelsAttr layout = chooseLayout(contraction, options);
  if (!layout)
    return std::nullopt;
  if (!options.isAhead)
    return Weights{rhs.getArgNumber(), layout, source, layout};
  source = withoutViews(source);
  tgx::PanelsAttr sourceLayout =
      layoutOfViewed(cast<RankedTensorType>(source.getType()), type, layout);
  if (!sourceLayout)
    return std::nullopt;
  return Weights{rhs.getArgNumber(), layout, source, sourceLayout};
}

/// The op around `user`, or itself, that stands in the block of the value: what
/// is packed before a loop serves all of its trips.
static Operation *outermostUser(Operation *user, Value value) {
  return value.getParentBlock()->findAncestorOpInBlock(*user);
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
    DenseMap<std::pair<Value, Operation *>, Value> packed;
    bool keepsWeights = function.getOps<AssignOp>().empty();
    SmallVector<tgx::CallOp> calls;
    function.walk([&](tgx::CallOp call) { calls.push_back(call); });
    for (tgx::CallOp call : calls) {
      tgx::KernelOp kernel = kernels.find(call);
      std::optional<Contraction> contraction = contractionOf(kernel);
      if (!contraction)
        continue;
      bool isAhead = keepsWeights && readsVariable(call, *contraction);
      std::optional<WinogradChoice> choice =
          chooseTransform(kernel, *contraction, convAlgorithm, isAhead);
      if (choice && !choice->isPacked) {
        call.setKernelAttr(FlatSymbolRefAttr::get(
            kernels.transform(kernel, choice->positions).getSymNameAttr()));
        continue;
      }
      std::optional<Weights> weights =
          findWeights(call, *contraction, {panelBytes, isAhead, choice});
      if (!weights)
        continue;
      Value operand = weights->source;
      auto type = cast<RankedTensorType>(operand.getType());
      tgx::KernelOp pack =
          kernels.pack(type, weights->sourceLayout, kernel.getLoc());
      OpBuilder builder(outermostUser(call, operand));
      Value &panels = packed[{operand, pack}];
      if (!panels) {
        auto packing = tgx::CallOp::create(
            builder, operand.getLoc(),
            TypeRange{weights->sourceLayout.getPackedType(type)},
            FlatSymbolRefAttr::get(pack.getSymNameAttr()), operand,
            AffineMapAttr::get(AffineMap::get(
                0, call.getExtents().getNumSymbols(), &getContext())));
        panels = packing.getResult(0);
        if (auto symbols = getCachedChildAnalysis<FunctionSymbols>(function))
          symbols->get().add(packing);
      }
      call.setKernelAttr(FlatSymbolRefAttr::get(
          kernels.unpack(kernel, *weights).getSymNameAttr()));
      call.getInputsMutable().slice(weights->argument, 1).assign(panels);
      ++packedContractions;
    }
  }
};
} // namespace
