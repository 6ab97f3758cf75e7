//===- RegionCotangents.h - what gradients of regions share ---------------===//
#ifndef TG_DIALECTS_TG_GRADIENT_REGIONCOTANGENTS_H
#define TG_DIALECTS_TG_GRADIENT_REGIONCOTANGENTS_H

#include "dialects/tg/gradient/RegionGradient.h"

namespace tg {

/// Values with their cotangents, several for a value that has several uses.
using ValueCotangents = llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>;

/// A block for backward code, in an op that stands for the one that will have
/// it.
class BackwardBlock {
public:
  BackwardBlock(mlir::OpBuilder &builder, mlir::Location loc);
  ~BackwardBlock() { place->erase(); }
  BackwardBlock(const BackwardBlock &) = delete;
  BackwardBlock &operator=(const BackwardBlock &) = delete;

  mlir::Block &get() { return place->getRegion(0).front(); }
  mlir::Region &getRegion() { return place->getRegion(0); }

private:
  mlir::Operation *place;
};

/// Adds to the cotangent of a value that a region ends with.
void addCotangent(mlir::OpBuilder &builder, Cotangents &sums, mlir::Value value,
                  mlir::Value cotangent);

/// Returns the cotangents of values from outside of the region, in order.
ValueCotangents findOutside(const Cotangents &found, mlir::Region &region,
                            const RegionDifferentiator &differentiator);

/// The numbers of the arguments, as many as cotangents of results are given,
/// that have a cotangent at the end of some step: that of the result, or one
/// from a later step.
llvm::SmallVector<unsigned> findCarried(mlir::Operation *op,
                                        mlir::ValueRange arguments,
                                        mlir::ValueRange cotangents,
                                        RegionDifferentiator &differentiator);

/// Takes the attributes that are no part of an op's definition.
void copyDiscardable(mlir::Operation *from, mlir::Operation *to);

/// A tensor with an extent of 1 in front, and without it.
mlir::Value buildFirstOne(mlir::OpBuilder &builder, mlir::Value value);
mlir::Value buildWithoutFirst(mlir::OpBuilder &builder, mlir::Value value);

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_REGIONCOTANGENTS_H
