//===- Windows.h - windows that slide over spatial dimensions -------------===//
//
// A window has `size` positions on each spatial dimension, `dilation` apart;
// windows start `stride` apart, the first one `paddingBefore` positions before
// the first element:
//
//   position(window p, tap t) = p * stride + t * dilation - paddingBefore
//
// With reach = (size - 1) * dilation + 1 and an extent s there are
//
//   valid     floor((s - reach) / stride) + 1 windows, none reaches over an end
//   same      ceil(s / stride) windows, with equal padding at both ends, or one
//             more padded position after the last element
//   explicit  as valid, over s and the pads at its ends
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_WINDOWS_H
#define TG_DIALECTS_TG_OPS_WINDOWS_WINDOWS_H

#include "dialects/tg/extents/ShapeInference.h"

namespace tg {

/// The labels of the constraints of windows; each family of ops has its own.
struct WindowLabels {
  llvm::StringRef numbers; ///< sizes, strides and dilations are at least 1
  llvm::StringRef lengths; ///< lists have an entry per spatial dimension
  llvm::StringRef pads;    ///< `pads` belongs to the word "explicit"
  llvm::StringRef fits;    ///< a window fits into the padded extent
  llvm::StringRef range;   ///< reaches and positions count below 2^31
};

/// The windows of an op on all its spatial dimensions.
class Windows {
public:
  /// Constructs the windows of an op, or of its adaptor. `sizes` are the
  /// numbers of taps on each axis.
  template <typename OpOrAdaptor>
  Windows(OpOrAdaptor op, llvm::ArrayRef<int64_t> sizes)
      : Windows(sizes, op.getStrides(), op.getDilations(), op.getPadding(),
                op.getPads()) {}

  /// Fails if a list or a number is invalid for windows.
  llvm::LogicalResult check(ShapeInference &inference,
                            const WindowLabels &labels) const;

  unsigned getRank() const { return sizes.size(); }
  int64_t sizeOf(unsigned axis) const { return sizes[axis]; }
  int64_t strideOf(unsigned axis) const { return strides[axis]; }
  int64_t dilationOf(unsigned axis) const { return dilations[axis]; }
  int64_t reachOf(unsigned axis) const {
    return (sizes[axis] - 1) * dilations[axis] + 1;
  }
  /// Returns the number of positions of one window.
  int64_t countPositions() const;

  /// Returns the number of windows over an extent of a spatial dimension.
  mlir::AffineExpr countOf(unsigned axis, mlir::AffineExpr extent) const;
  /// Returns the number of padded positions before the first element.
  mlir::AffineExpr paddingBefore(unsigned axis, mlir::AffineExpr extent) const;
  /// Returns true if all positions of all windows are known to be elements.
  bool isInside(unsigned axis, mlir::AffineExpr extent) const;

  /// Returns `countOf` for an extent that fits a window. Fails if the window
  /// certainly does not fit, and adds a requirement at run time if that is
  /// unknown. `what` names the extent: "input dim 1".
  llvm::FailureOr<mlir::AffineExpr>
  inferCount(ShapeInference &inference, unsigned axis, mlir::AffineExpr extent,
             const llvm::Twine &what, const WindowLabels &labels) const;

private:
  using OptionalList = std::optional<llvm::SmallVector<int64_t>>;
  Windows(llvm::ArrayRef<int64_t> sizes, OptionalList strides,
          OptionalList dilations, llvm::StringRef padding, OptionalList pads);

  bool isSame() const { return padding == "same"; }
  llvm::LogicalResult checkNumbers(ShapeInference &inference,
                                   llvm::ArrayRef<int64_t> list,
                                   llvm::StringRef listName,
                                   const WindowLabels &labels) const;
  llvm::LogicalResult checkPads(ShapeInference &inference,
                                const WindowLabels &labels) const;
  llvm::LogicalResult checkRange(ShapeInference &inference,
                                 const WindowLabels &labels) const;

  llvm::SmallVector<int64_t> sizes, strides, dilations;
  llvm::StringRef padding;
  /// Low and high pads alternate; all are 0 unless the padding is "explicit".
  llvm::SmallVector<int64_t> pads;
  bool hasPads;
};

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_WINDOWS_H
