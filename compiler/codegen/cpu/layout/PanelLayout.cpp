//===- PanelLayout.cpp - the panels that contractions read ----------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"

using namespace mlir;
using namespace tg;

/// The columns of the narrowest panel of a transformed filter: a vector of the
/// widest ISA level.
static constexpr int64_t kNarrowestPanel = 16;

/// Returns the column dimension of the rhs if the sum runs over all its other
/// dimensions in their order; none otherwise.
static std::optional<unsigned> findColumns(const Contraction &contraction) {
  if (!contraction.isMatrixProduct() && !contraction.findWindows())
    return std::nullopt;
  if (contraction.isMatrixProduct() && contraction.rhs.indices.size() != 2)
    return std::nullopt;
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  std::optional<unsigned> axis = contraction.rhs.axisOf(column);
  SmallVector<unsigned> rows = contraction.dimensionsOf(DimensionKind::reduced);
  for (auto [position, index] : llvm::enumerate(contraction.rhs.indices)) {
    if (axis && position == *axis)
      continue;
    size_t row = axis && position > *axis ? position - 1 : position;
    if (row >= rows.size() || index.getDimension() != rows[row])
      return std::nullopt;
  }
  return axis;
}

/// Returns the layout of a convolution filter transformed for Winograd's
/// algorithm.
static cpu::PanelsAttr transformedLayout(const Contraction &contraction,
                                         int64_t panelBytes,
                                         int64_t positions) {
  auto type = cast<RankedTensorType>(contraction.rhs.value.getType());
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  unsigned axis = *contraction.rhs.axisOf(column);
  int64_t width = panelBytes / elementBytes(type.getElementType());
  int64_t needed = llvm::PowerOf2Ceil(type.getDimSize(axis));
  return cpu::PanelsAttr::get(
      type.getContext(), axis,
      std::min(width, std::max(needed, kNarrowestPanel)),
      /*winograd=*/positions);
}

/// Returns true if it pays off that the function packs the columns of windows
/// right before they are read. The columns are not contiguous, so each tile of
/// the kernel would otherwise have to transpose them. If there are few columns,
/// kernels read single elements instead.
static bool isWorthPacking(const Contraction &contraction, unsigned axis) {
  auto type = cast<RankedTensorType>(contraction.rhs.value.getType());
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!windows || axis + 1 == type.getRank() ||
      type.getDimSize(axis) < kNarrowestPanel)
    return false;
  std::optional<int64_t> rows = staticExtent(productOf(
      ArrayRef(contraction.result.extents).drop_back(), type.getContext()));
  // Each phase of positions uses its own taps.
  int64_t phases = 1;
  for (const WindowAxis &window : windows->axes)
    phases *= window.divisor;
  return !rows || *rows / phases >= tuning::kMinPackedRows;
}

cpu::PanelsAttr tg::choosePanels(const Contraction &contraction,
                                 const OperandUse &use, int64_t panelBytes) {
  if (use.winograd)
    return transformedLayout(contraction, panelBytes, use.winograd);
  // Otherwise each tile of the kernel packs its own columns, which needs no
  // memory.
  std::optional<unsigned> axis = findColumns(contraction);
  if (!axis || !(use.isAhead || isWorthPacking(contraction, *axis)))
    return {};
  Type type = getElementTypeOrSelf(contraction.rhs.value);
  return cpu::PanelsAttr::get(type.getContext(), *axis,
                              panelBytes / elementBytes(type),
                              /*winograd=*/0);
}
