//===- CpuDialect.cpp - panels of columns ---------------------------------===//
#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;
using namespace tg::cpu;

#include "compiler/codegen/cpu/layout/CpuDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/codegen/cpu/layout/CpuAttributes.cpp.inc"

void CpuDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/codegen/cpu/layout/CpuAttributes.cpp.inc"
      >();
}

StringRef tg::winogradAlgorithm(int64_t positions) {
  return positions == 2 ? "winograd_2x2" : "winograd";
}

RankedTensorType PanelsAttr::getPackedType(RankedTensorType matrix) const {
  int64_t columns = matrix.getDimSize(getAxis());
  int64_t k = 1;
  int64_t panels = llvm::divideCeil(columns, getWidth());
  if (int64_t tileExtent = getWinograd() + 2; getWinograd())
    // The columns are on axis 2 or 3 of the filter, and the rows are on the
    // other one.
    return RankedTensorType::get({tileExtent * tileExtent, panels,
                                  matrix.getDimSize(5 - getAxis()), getWidth()},
                                 matrix.getElementType());
  for (auto [axis, extent] : llvm::enumerate(matrix.getShape()))
    if (axis != getAxis())
      k *= extent;
  return RankedTensorType::get({panels, k, getWidth()},
                               matrix.getElementType());
}

std::string PanelsAttr::findMismatch(RankedTensorType tensor) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool isFilter = getWinograd() != 0;
  int64_t first = isFilter ? tensor.getRank() - 2 : 0;
  int64_t axis = getAxis();
  if (isFilter && getWinograd() != 4 && getWinograd() != 2)
    stream << "expected tiles of 4 or 2 positions along an axis, found "
           << *this;
  else if (isFilter && (tensor.getRank() != 4 || !tensor.hasStaticShape() ||
                        tensor.getDimSize(0) != 3 || tensor.getDimSize(1) != 3))
    stream << "expected a filter of 3x3 and static extents, found '" << tensor
           << "'";
  else if (tensor.getRank() < 2 || !tensor.hasStaticShape())
    stream << "expected static extents and a rank of at least 2, found '"
           << tensor << "'";
  else if (axis < first || axis >= tensor.getRank() || getWidth() < 1)
    stream << "expected columns along one of axes " << first << " to "
           << tensor.getRank() - 1 << " and a width of at least 1, found "
           << *this;
  return text;
}

tgx::LayoutAttrInterface
PanelsAttr::getLayoutOfViewed(RankedTensorType viewed,
                              RankedTensorType view) const {
  if (viewed == view)
    return *this;
  if (getWinograd() || viewed.getRank() < 2)
    return {};
  bool isLast = getAxis() + 1 == view.getRank();
  if (!isLast && getAxis() > 0)
    return {};
  unsigned axis = isLast ? viewed.getRank() - 1 : 0;
  if (viewed.getDimSize(axis) != view.getDimSize(getAxis()))
    return {};
  return PanelsAttr::get(getContext(), axis, getWidth(), /*winograd=*/0);
}

StringRef PanelsAttr::getAlgorithm() const {
  if (getWinograd())
    return winogradAlgorithm(getWinograd());
  return "panels";
}

std::string PanelsAttr::getReaderSuffix() const {
  return "_" + (getWinograd() ? getAlgorithm().str() : "packed");
}

std::string PanelsAttr::getPackerSuffix(RankedTensorType tensor) const {
  std::string suffix;
  if (getAxis() + 1 < tensor.getRank())
    suffix = "_columns" + std::to_string(getAxis());
  return getWinograd() ? suffix + getReaderSuffix() : suffix;
}
