//===- RegionCotangents.h - common code of gradients of regions -----------===//
#ifndef TG_DIALECTS_TG_GRADIENT_REGIONCOTANGENTS_H
#define TG_DIALECTS_TG_GRADIENT_REGIONCOTANGENTS_H

#include "dialects/tg/gradient/RegionGradient.h"

namespace tg {

/// Values with their cotangents; a value with several uses has several entries.
using ValueCotangents = llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>;

/// A block for backward code, in a temporary op that the final op replaces.
class BackwardBlock {
public:
  BackwardBlock(mlir::OpBuilder &builder, mlir::Location loc);
  ~BackwardBlock() { temporary->erase(); }
  BackwardBlock(const BackwardBlock &) = delete;
  BackwardBlock &operator=(const BackwardBlock &) = delete;

  mlir::Block &get() { return temporary->getRegion(0).front(); }
  mlir::Region &getRegion() { return temporary->getRegion(0); }

private:
  mlir::Operation *temporary;
};

/// Adds `cotangent` to the cotangent of a value in `sums`.
void addCotangent(mlir::OpBuilder &builder, Cotangents &sums, mlir::Value value,
                  mlir::Value cotangent);

/// Returns the cotangents in `found` of values that are defined outside of the
/// region, in order.
ValueCotangents findOutside(const Cotangents &found, mlir::Region &region,
                            const RegionDifferentiator &differentiator);

/// Returns the indices of the arguments that have a cotangent at the end of
/// some iteration: the cotangent of the result, or one from a later iteration.
/// `arguments` and `cotangents` have the same length.
llvm::SmallVector<unsigned> findCarried(mlir::Operation *op,
                                        mlir::ValueRange arguments,
                                        mlir::ValueRange cotangents,
                                        RegionDifferentiator &differentiator);

/// Copies the attributes that are not part of an op's definition.
void copyDiscardable(mlir::Operation *from, mlir::Operation *to);

/// Build ops that add, or remove, a leading dimension of extent 1.
mlir::Value buildWithLeadingOne(mlir::OpBuilder &builder, mlir::Value value);
mlir::Value buildWithoutLeadingOne(mlir::OpBuilder &builder, mlir::Value value);

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_REGIONCOTANGENTS_H
