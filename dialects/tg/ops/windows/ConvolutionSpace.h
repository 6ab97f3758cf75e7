//===- ConvolutionSpace.h - iteration spaces of convolutions --------------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_CONVOLUTIONSPACE_H
#define TG_DIALECTS_TG_OPS_WINDOWS_CONVOLUTIONSPACE_H

#include "dialects/tg/ops/windows/ConvolutionOps.h"
#include "dialects/tg/ops/windows/Windows.h"

namespace tg {

/// The tensors of a convolution, or a property of each. An op computes one of
/// the tensors from the others.
template <typename T> struct ConvolutionRoles {
  T input, filter, output;
};

ConvolutionRoles<mlir::Value> rolesOf(ConvOp op);
ConvolutionRoles<mlir::Value> rolesOf(ConvTransposeOp op);
ConvolutionRoles<mlir::Value> rolesOf(ConvFilterGradOp op);

/// Returns the windows of a verified op.
template <typename ConvolutionOp> Windows windowsOf(ConvolutionOp op) {
  auto filter =
      llvm::cast<mlir::RankedTensorType>(rolesOf(op).filter.getType());
  return Windows(op, filter.getShape().drop_back(2));
}

/// Builds the iteration space of a convolution op, dimension by dimension, and
/// then the tensors over it.
class ConvolutionSpace {
public:
  template <typename ConvolutionOp>
  ConvolutionSpace(ConvolutionOp op, const ExtentAnalysis &analysis)
      : values(rolesOf(op)), windows(windowsOf(op)), groups(op.getGroups()),
        extents{llvm::to_vector(analysis.extentsOf(values.input)),
                llvm::to_vector(analysis.extentsOf(values.filter)),
                llvm::to_vector(analysis.extentsOf(values.output))} {}

  /// Adds a dimension for the samples, and the positions of the input or of the
  /// output.
  void addPositions(DimensionKind kind, bool ofInput) {
    positionsAreOfInput = ofInput;
    llvm::ArrayRef<mlir::AffineExpr> shape =
        ofInput ? extents.input : extents.output;
    sample = add(kind, shape.front());
    for (mlir::AffineExpr extent : shape.drop_front().drop_back())
      positions.push_back(add(kind, extent));
  }
  void addTaps(DimensionKind kind) {
    for (mlir::AffineExpr extent : llvm::ArrayRef(extents.filter).drop_back(2))
      taps.push_back(add(kind, extent));
  }
  /// Adds the dimensions of a sum over taps and over channels, which
  /// `addChannels` adds. The order of the dimensions is that of the sum. With
  /// groups, the taps of the last axis come after the channels: a kernel then
  /// loads each channel of a line once for all taps that read it.
  void addReducedTaps(llvm::function_ref<void()> addChannels) {
    addTaps(DimensionKind::reduced);
    if (groups == 1)
      return addChannels();
    IterationDimension last = dimensions.pop_back_val();
    addChannels();
    taps.back() = add(last.kind, last.extent);
  }
  void addGroups() {
    if (groups != 1)
      group = add(DimensionKind::batch,
                  mlir::getAffineConstantExpr(groups, context()));
  }
  void addInputChannels(DimensionKind kind) {
    inputChannel = add(kind, extents.filter[extents.filter.size() - 2]);
  }
  void addOutputChannels(DimensionKind kind) {
    outputChannel = add(kind, extents.filter.back().floorDiv(groups));
  }

  ContractionTensor getInput() const;
  ContractionTensor getFilter() const;
  ContractionTensor getOutput() const;
  /// Returns the contraction with these tensors over the dimensions of this
  /// space.
  Contraction makeContraction(ContractionTensor lhs, ContractionTensor rhs,
                              ContractionTensor result) const;

private:
  mlir::MLIRContext *context() const { return values.input.getContext(); }
  unsigned add(DimensionKind kind, mlir::AffineExpr extent) {
    dimensions.push_back({kind, extent});
    return dimensions.size() - 1;
  }
  ContractionIndex channelOf(unsigned channel) const;
  ContractionIndex windowIndex(unsigned axis) const;
  ContractionIndex positionIndex(unsigned axis) const;

  ConvolutionRoles<mlir::Value> values;
  Windows windows;
  int64_t groups;
  ConvolutionRoles<llvm::SmallVector<mlir::AffineExpr>> extents;
  llvm::SmallVector<IterationDimension> dimensions;
  bool positionsAreOfInput = false;
  unsigned sample = 0, inputChannel = 0, outputChannel = 0;
  std::optional<unsigned> group;
  llvm::SmallVector<unsigned> positions, taps;
};

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_CONVOLUTIONSPACE_H
