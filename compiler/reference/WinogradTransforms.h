//===- WinogradTransforms.h - the transforms of Winograd tiles ------------===//
#ifndef TG_COMPILER_REFERENCE_WINOGRADTRANSFORMS_H
#define TG_COMPILER_REFERENCE_WINOGRADTRANSFORMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tg {

/// The transforms for one size of tiles, each by its function of a line.
class WinogradTransforms {
public:
  /// `positions` is the number of positions of a tile along an axis, 4 or 2.
  explicit WinogradTransforms(int64_t positions);

  /// Return a square matrix transformed, in row-major order.
  using Matrix = llvm::SmallVector<float, 36>;
  Matrix ofInput(llvm::ArrayRef<float> elements) const;
  Matrix ofFilter(llvm::ArrayRef<float> taps) const;
  Matrix ofOutput(llvm::ArrayRef<float> products) const;
  Matrix ofGradient(llvm::ArrayRef<float> elements) const;
  Matrix ofWindow(llvm::ArrayRef<float> products) const;

private:
  using Line = llvm::SmallVector<float, 6>;
  using LineFunction = Line (*)(llvm::ArrayRef<float> line);
  static Matrix transform(llvm::ArrayRef<float> square, LineFunction function);

  LineFunction input, filter, output, gradient, window;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_WINOGRADTRANSFORMS_H
