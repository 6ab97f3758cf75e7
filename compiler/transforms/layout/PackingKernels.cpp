//===- PackingKernels.cpp - kernels that pack, and that read panels -------===//
#include "compiler/transforms/layout/PackingKernels.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

std::optional<Contraction> tg::contractionOf(tgx::KernelOp kernel) {
  auto products = kernel.getBlock().getOps<ContractionOpInterface>();
  ExtentAnalysis analysis(kernel.getContext());
  if (kernel.getStrategy() != tgx::Strategy::contraction || products.empty() ||
      failed(kernel.analyzeExtents(analysis)))
    return std::nullopt;
  return (*products.begin()).getContraction(analysis);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Returns the starts of a slice in a kernel, constant or passed by the call;
/// none if they are only known at run time.
static std::optional<SmallVector<int64_t>> startsOf(SliceOp slice,
                                                    tgx::CallOp call) {
  SmallVector<int64_t> starts = slice.getStarts();
  unsigned passed = 0;
  for (int64_t &start : starts) {
    if (start != -1)
      continue;
    auto size = slice.getDynamic()[passed++].getDefiningOp<tgx::SizeOp>();
    if (!size)
      return std::nullopt;
    SmallVector<AffineExpr> symbols(call.getExtents().getResults());
    AffineExpr number = size.getValue().getResult(0).replaceSymbols(symbols);
    std::optional<int64_t> known = staticExtent(number);
    if (!known)
      return std::nullopt;
    start = *known;
  }
  return starts;
}

std::optional<MatrixBox> PackingKernels::findBox(tgx::CallOp call) const {
  tgx::KernelOp kernel = find(call);
  SliceOp slice;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (!isa<tgx::SizeOp>(op)) {
      if (slice || !isa<SliceOp>(op))
        return std::nullopt;
      slice = cast<SliceOp>(op);
    }
  if (!slice || !isa<BlockArgument>(slice.getInput()))
    return std::nullopt;
  RankedTensorType whole = slice.getInput().getType();
  RankedTensorType type = slice.getType();
  SmallVector<int64_t> strides =
      stridesOrOnes(slice.getStrides(), whole.getRank());
  std::optional<SmallVector<int64_t>> starts = startsOf(slice, call);
  if (whole.getRank() != 2 || !whole.hasStaticShape() ||
      !type.hasStaticShape() || !starts || strides != ArrayRef<int64_t>{1, 1})
    return std::nullopt;
  return MatrixBox{whole, (*starts)[0], (*starts)[1], type};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Returns ()[s...] -> (the static extents of the type).
static AffineMapAttr extentsOf(RankedTensorType type, unsigned symbolCount) {
  SmallVector<AffineExpr> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(getAffineConstantExpr(extent, type.getContext()));
  return AffineMapAttr::get(
      AffineMap::get(0, symbolCount, extents, type.getContext()));
}

static std::string nameOf(RankedTensorType type) {
  return llvm::join(
      llvm::map_range(type.getShape(),
                      [](int64_t extent) { return std::to_string(extent); }),
      "x");
}

/// Returns a name that describes the packing kernel.
static std::string nameOf(const PackedSource &source) {
  RankedTensorType type = source.getType();
  std::string name = "pack_" + nameOf(type) + "_" +
                     typeInfoOf(elementOf(type.getElementType())).name;
  if (source.box)
    name += "_at" + std::to_string(source.box->row) + "x" +
            std::to_string(source.box->column) + "_of" +
            nameOf(source.box->whole);
  return name + source.layout.getPackerSuffix(type);
}

tgx::KernelOp PackingKernels::pack(const PackedSource &source, Location loc) {
  std::string name = nameOf(source);
  tgx::KernelOp &kernel = kernels[name];
  if (kernel)
    return kernel;
  auto type = cast<RankedTensorType>(source.value.getType());
  OpBuilder builder(type.getContext());
  kernel = tgx::KernelOp::create(
      builder, loc, name, tgx::Strategy::custom,
      /*symbol_count=*/0, builder.getArrayAttr({extentsOf(type, 0)}),
      builder.getArrayAttr({builder.getUnitAttr()}),
      /*algorithm=*/nullptr, /*argument_rows=*/nullptr,
      /*output_rows=*/nullptr, /*non_temporal_outputs=*/nullptr,
      /*alignments=*/nullptr, /*parts=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  Value packed = body.addArgument(type, loc);
  if (const std::optional<MatrixBox> &box = source.box)
    packed = SliceOp::create(
        builder, loc, box->type, packed, /*dynamic=*/ValueRange{},
        builder.getI64ArrayAttr({box->row, box->column}),
        builder.getI64ArrayAttr(box->type.getShape()), /*strides=*/nullptr);
  Value panels = tgx::PackOp::create(
      builder, loc, source.layout.getPackedType(source.getType()), packed,
      source.layout);
  tgx::YieldOp::create(builder, loc, panels);
  symbols.insert(kernel);
  return kernel;
}

tgx::KernelOp PackingKernels::unpack(tgx::KernelOp kernel, unsigned index,
                                     tgx::LayoutAttrInterface layout) {
  std::string name = kernel.getSymName().str() + layout.getReaderSuffix();
  tgx::KernelOp &packed = kernels[name];
  if (packed)
    return packed;
  packed = kernel.clone();
  packed.setSymName(name);
  packed.setAlgorithm(layout.getAlgorithm());
  Block &body = packed.getBlock();
  BlockArgument argument = body.getArgument(index);
  auto type = cast<RankedTensorType>(argument.getType());
  RankedTensorType panels = layout.getPackedType(type);

  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  argument.setType(panels);
  auto unpacked =
      tgx::UnpackOp::create(builder, argument.getLoc(), type, argument, layout);
  argument.replaceAllUsesExcept(unpacked, unpacked);
  SmallVector<Attribute> extents(kernel.getArgumentExtents().getValue());
  extents[index] = extentsOf(panels, kernel.getSymbolCount());
  packed.setArgumentExtentsAttr(builder.getArrayAttr(extents));
  symbols.insert(packed);
  return packed;
}
