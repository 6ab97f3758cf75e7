//===- WindowElements.h - windows in element rules ------------------------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H
#define TG_DIALECTS_TG_OPS_WINDOWS_WINDOWELEMENTS_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/ops/windows/Windows.h"

namespace tg {

/// The i64 numbers from `begin` up to below `end`.
struct Span {
  mlir::Value begin, end;
  /// No run has more numbers; 0 where that is not known.
  int64_t most = 0;
  /// Every run has so many.
  bool isFull = false;
};

/// One round of loops over spans: makes of a number of each span and of what
/// the round before left what the next one gets.
using SpanStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    llvm::ArrayRef<mlir::Value> numbers, mlir::ValueRange carried)>;

/// Loops over the numbers of all spans, those of the last one innermost, and
/// returns what the last round left. Where there are few rounds at most, they
/// become straight code; those of which a run has less read what another round
/// does or 0 does, and change nothing.
llvm::SmallVector<mlir::Value> buildSpans(ElementBuilder &element,
                                          llvm::ArrayRef<Span> spans,
                                          mlir::ValueRange initial,
                                          SpanStep step);

/// Windows over a tensor [n, s, c] at run time, as element rules ask for them.
/// The windows of an axis are numbered, the taps of a window too; the extents
/// are those of the tensor under the windows and the numbers of windows.
class WindowElements {
public:
  WindowElements(ElementBuilder &element, const Windows &windows,
                 llvm::ArrayRef<mlir::Value> extents,
                 llvm::ArrayRef<mlir::Value> counts);

  /// Returns the position of a tap of each window in `numbers`.
  llvm::SmallVector<mlir::Value> places(llvm::ArrayRef<mlir::Value> numbers,
                                        llvm::ArrayRef<mlir::Value> taps);

  /// The taps of the windows `numbers` that are elements.
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

  /// The windows that reach over `places`.
  llvm::SmallVector<Span> covering(llvm::ArrayRef<mlir::Value> places);
  /// The taps of the windows `numbers`, which reach over `places`, that are
  /// there, and whether they are: null for always.
  std::pair<llvm::SmallVector<mlir::Value>, mlir::Value>
  tapsAt(llvm::ArrayRef<mlir::Value> places,
         llvm::ArrayRef<mlir::Value> numbers);

  /// The row-major position of taps in a window.
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
  /// The place of the first tap of a window.
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
