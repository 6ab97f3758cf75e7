//===- WindowElements.h - windows in element rules ------------------------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H
#define TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/ops/windows/Windows.h"

namespace tg {

/// The i64 indices in [begin, end).
struct Span {
  mlir::Value begin, end;
  /// The upper bound on the number of indices in any run; 0 if it is not known.
  int64_t maxCount = 0;
  /// True if there are exactly `maxCount` indices in every run.
  bool isFull = false;
};

/// Builds one iteration of loops over spans from an index of each span and the
/// values carried from the iteration before. Returns the values for the next
/// iteration.
using SpanStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    llvm::ArrayRef<mlir::Value> indices, mlir::ValueRange carried)>;

/// Builds loops over the indices of all spans, with the last span innermost,
/// and returns the values of the last iteration. If the upper bound on
/// iterations is small, the loops are unrolled. Unrolled iterations that do not
/// exist in a run read what another iteration, or iteration 0, reads, and
/// change nothing.
llvm::SmallVector<mlir::Value> buildSpans(ElementBuilder &element,
                                          llvm::ArrayRef<Span> spans,
                                          mlir::ValueRange initial,
                                          SpanStep step);

/// Windows over a tensor [n, s, c] at run time, for element rules. Windows and
/// taps are given by their indices on each axis. `extents` are the extents of
/// the tensor under the windows, and `counts` the numbers of windows.
class WindowElements {
public:
  WindowElements(ElementBuilder &element, const Windows &windows,
                 llvm::ArrayRef<mlir::Value> extents,
                 llvm::ArrayRef<mlir::Value> counts);

  /// Returns the position of a tap of a window on each axis.
  llvm::SmallVector<mlir::Value> positions(llvm::ArrayRef<mlir::Value> window,
                                           llvm::ArrayRef<mlir::Value> taps);

  /// Returns the taps of a window, on each axis, that are elements.
  llvm::SmallVector<Span> taps(llvm::ArrayRef<mlir::Value> window);
  /// Returns the number of these taps in all, at least 1.
  mlir::Value countTaps(llvm::ArrayRef<Span> taps);

  /// Returns the values, of the given types, that `build` computes from the
  /// taps of a window that are elements. The case that all taps of a small
  /// window are elements has separate code without loops.
  llvm::SmallVector<mlir::Value>
  byTaps(llvm::ArrayRef<mlir::Value> window, mlir::TypeRange types,
         llvm::function_ref<
             llvm::SmallVector<mlir::Value>(llvm::ArrayRef<Span> taps)>
             build);

  /// Returns the windows, on each axis, that cover a position.
  llvm::SmallVector<Span> covering(llvm::ArrayRef<mlir::Value> position);
  /// Returns the tap of a window at a position on each axis, and the condition
  /// that these taps exist; null if they always do.
  std::pair<llvm::SmallVector<mlir::Value>, mlir::Value>
  tapsAt(llvm::ArrayRef<mlir::Value> position,
         llvm::ArrayRef<mlir::Value> window);

  /// Builds the row-major index of a tap in its window.
  mlir::Value tapIndex(llvm::ArrayRef<mlir::Value> taps);
  /// Returns true if the static extents show that all taps of all windows are
  /// elements.
  bool areInside();

private:
  struct Axis {
    mlir::Value extent, count, paddingBefore;
    bool isInside;
  };

  mlir::AffineExpr expressionOf(unsigned axis);
  mlir::Value buildPaddingBefore(unsigned axis);
  /// Builds the position of the first tap of a window.
  mlir::Value start(unsigned axis, mlir::Value window);
  mlir::Value isInside(llvm::ArrayRef<mlir::Value> window);
  llvm::SmallVector<Span> allTaps();
  /// Returns true if each element of an axis is known to be under exactly one
  /// window.
  bool areTiles(unsigned axis);

  ElementBuilder &element;
  IntegerOps ops;
  const Windows &windows;
  llvm::SmallVector<Axis> axes;
};

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H
