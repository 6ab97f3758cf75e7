//===- PackKernel.cpp - packing of matrices into panels -------------------===//
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/winograd/Winograd.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "dialects/tg/ops/movement/SliceOps.h"

using namespace mlir;
using namespace tg;

/// Returns the number of rows of a panel that are contiguous in memory: the
/// product of the extents after the columns or, if the columns are last, of all
/// other extents.
static int64_t countRows(tgx::PackOp op) {
  ArrayRef<int64_t> extents = op.getInput().getType().getShape();
  unsigned axis = panelsOf(op).getAxis();
  ArrayRef<int64_t> rows = axis + 1 == extents.size()
                               ? extents.take_front(axis)
                               : extents.drop_front(axis + 1);
  return llvm::product_of(rows);
}

namespace {
/// The matrix that is packed: the argument that contains it, and its offset and
/// leading dimension there, in elements.
struct PackedMatrix {
  BlockArgument argument;
  int64_t offset, rowStride;
};
} // namespace

/// Returns the matrix that a tgx.pack reads: an argument with leading dimension
/// `rowStride`, or a slice of an argument that is a matrix.
static PackedMatrix matrixOf(tgx::PackOp op, int64_t rowStride) {
  auto slice = op.getInput().getDefiningOp<SliceOp>();
  if (!slice)
    return {cast<BlockArgument>(op.getInput()), 0, rowStride};
  SmallVector<int64_t> starts = slice.getStarts();
  int64_t columns = slice.getInput().getType().getDimSize(1);
  return {cast<BlockArgument>(slice.getInput()),
          starts[0] * columns + starts[1], columns};
}

/// Emits one tile per panel or, if the columns are not last, one per panel and
/// index before the columns. A tile packs [rows, width] elements, padded with
/// zeros after the last column.
static LogicalResult emitPack(KernelFrame &frame, tgx::PackOp op) {
  ArrayRef<int64_t> panels = op.getResult().getType().getShape();
  unsigned axis = panelsOf(op).getAxis();
  bool isTransposed = axis + 1 < op.getInput().getType().getRank();
  int64_t columns = op.getInput().getType().getDimSize(axis);
  int64_t k = panels[1];
  int64_t width = panels[2];
  int64_t rows = countRows(op);
  int64_t matricesPerPanel = rows > 0 ? k / rows : 0;
  frame.setTiles([&](EntryExtents &entry) {
    return entry.integers().constant(panels[0] * matricesPerPanel);
  });
  IntegerOps ops = frame.integers();
  Value panel =
      ops.div(frame.tile, ops.constant(std::max<int64_t>(1, matricesPerPanel)));
  Value matrixIndex =
      ops.rem(frame.tile, ops.constant(std::max<int64_t>(1, matricesPerPanel)));
  Value column = ops.mul(panel, ops.constant(width));
  PackedMatrix matrix = matrixOf(op, isTransposed ? rows : columns);
  Value columnStride = ops.constant(isTransposed ? matrix.rowStride : 1);
  PanelSource source{frame.argument(matrix.argument),
                     ops.add(ops.mul(matrixIndex, ops.constant(columns * rows)),
                             ops.constant(matrix.offset)),
                     ops.mul(column, columnStride),
                     ops.constant(isTransposed ? 1 : matrix.rowStride),
                     columnStride,
                     columns % width == 0
                         ? ops.constant(width)
                         : ops.min(ops.constant(width),
                                   ops.sub(ops.constant(columns), column))};
  Elements target = resultMemory(frame, op.getResult());
  Value row = ops.add(ops.mul(panel, ops.constant(k)),
                      ops.mul(matrixIndex, ops.constant(rows)));
  Elements destination{addressOf(frame.builder, frame.loc, target,
                                 ops.mul(row, ops.constant(width))),
                       target.elementType};
  packPanel(frame, source, destination, ops.constant(rows), width,
            chooseLanes(frame.kernel, frame.target), isTransposed);
  return success();
}

namespace {
struct PackKernel
    : CustomKernelOpInterface::ExternalModel<PackKernel, tgx::PackOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    auto pack = cast<tgx::PackOp>(op);
    return panelsOf(pack).getWinograd() ? emitWinogradFilter(frame, pack)
                                        : emitPack(frame, pack);
  }
};
} // namespace

void tg::attachPackKernel(MLIRContext *context) {
  tgx::PackOp::attachInterface<PackKernel>(*context);
}
