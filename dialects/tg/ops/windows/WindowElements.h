//===- WindowElements.h - windows in element rules ------------------------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H
#define TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/ops/windows/Windows.h"

namespace tg {

/// The i64 numbers in [begin, end).
struct Span {
  mlir::Value begin, end;
  /// The upper bound on the numbers of every run; 0 if it is not known.
  int64_t most = 0;
  /// True if every run has exactly `most` numbers.
  bool isFull = false;
};

/// Builds one round of loops over spans. It gets a number of each span and the
/// values from the round before, and returns the values for the next round.
using SpanStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    llvm::ArrayRef<mlir::Value> numbers, mlir::ValueRange carried)>;

/// Builds loops over the numbers of all spans, with the last span innermost,
/// and returns the values of the last round. If the bound on rounds is small,
/// the rounds are unrolled. Unrolled rounds that a run does not have read what
/// another round or round 0 reads, and change nothing.
llvm::SmallVector<mlir::Value> buildSpans(ElementBuilder &element,
                                          llvm::ArrayRef<Span> spans,
                                          mlir::ValueRange initial,
                                          SpanStep step);

/// Windows over a tensor [n, s, c] at run time, for element rules. The windows
/// of an axis and the taps of a window are numbered. `extents` are the extents
/// of the tensor under the windows, and `counts` the numbers of windows.
class WindowElements {
public:
  WindowElements(ElementBuilder &element, const Windows &windows,
                 llvm::ArrayRef<mlir::Value> extents,
                 llvm::ArrayRef<mlir::Value> counts);

  /// Returns the position of a tap of each window in `numbers`.
  llvm::SmallVector<mlir::Value> places(llvm::ArrayRef<mlir::Value> numbers,
                                        llvm::ArrayRef<mlir::Value> taps);

  /// Returns the taps of the windows `numbers` that are elements.
  llvm::SmallVector<Span> taps(llvm::ArrayRef<mlir::Value> numbers);
  /// Returns the number of these taps, at least 1.
  mlir::Value countTaps(llvm::ArrayRef<Span> taps);

  /// Returns the values, of the given types, that `build` makes from the taps
  /// of the windows `numbers` that are elements. If all taps are elements and
  /// there are few of them, the code for them is separate and has no loops.
  llvm::SmallVector<mlir::Value>
  byTaps(llvm::ArrayRef<mlir::Value> numbers, mlir::TypeRange types,
         llvm::function_ref<
             llvm::SmallVector<mlir::Value>(llvm::ArrayRef<Span> taps)>
             build);

  /// Returns the windows that reach over `places`.
  llvm::SmallVector<Span> covering(llvm::ArrayRef<mlir::Value> places);
  /// Returns the taps of the windows `numbers` at `places`, and a condition
  /// that they are taps; null if they always are.
  std::pair<llvm::SmallVector<mlir::Value>, mlir::Value>
  tapsAt(llvm::ArrayRef<mlir::Value> places,
         llvm::ArrayRef<mlir::Value> numbers);

  /// Builds the row-major position of taps in a window.
  mlir::Value tapNumber(llvm::ArrayRef<mlir::Value> taps);
  /// Returns true if the static extents show that all taps of all windows are
  /// elements.
  bool areInside();

private:
  struct Axis {
    mlir::Value extent, count, low;
    bool isInside;
  };

  mlir::AffineExpr expressionOf(unsigned axis);
  mlir::Value buildLow(unsigned axis);
  /// Builds the position of the first tap of a window.
  mlir::Value start(unsigned axis, mlir::Value number);
  mlir::Value isInside(llvm::ArrayRef<mlir::Value> numbers);
  llvm::SmallVector<Span> allTaps();
  /// Returns true if each element of an axis is known to be under one window.
  bool areTiles(unsigned axis);

  ElementBuilder &element;
  IntegerOps ops;
  const Windows &windows;
  llvm::SmallVector<Axis> axes;
};

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H
