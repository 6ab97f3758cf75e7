//===- WinogradGradientWindows.h - windows of filter gradients ------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTWINDOWS_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTWINDOWS_H

#include "compiler/codegen/cpu/contraction/winograd/WinogradGradientPlan.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"
#include <numeric>

namespace tg {

/// The work of a tile of the launch: the slice of the Winograd tiles, and the
/// block of channels and columns.
struct GradientBlock {
  explicit GradientBlock(const WinogradGradientPlan &plan);

  mlir::Value slice, firstChannel, channelCount, firstColumn, columnCount;
};

/// The sums of windows of a filter gradient: of the summation blocks of a
/// group, and of all groups. Windows of several slices are in the partials
/// buffer.
class GradientWindows {
public:
  /// `parts` has room for the windows of all slices. Its pointer is null if
  /// there is only one slice. `block` outlives the object.
  GradientWindows(const WinogradGradientPlan &plan, const GradientBlock &block,
                  const WinogradGradientPlan::Scratch &scratch,
                  const Elements &parts);

  /// Transforms the sums of a channel to windows. Adds these to the windows of
  /// the group or, if they are the first ones, to zeros. `isFirst` is null if
  /// that is always so.
  void add(mlir::Value channel, mlir::Value isFirst) const;
  /// Adds the windows of a group to those of all groups, which have the same
  /// layout.
  void addGroup(mlir::Value isFirst) const;
  /// Computes the outputs from the windows of a channel, and stores them.
  void store(mlir::Value channel);
  /// Adds the windows of all slices, and stores the outputs.
  void finalize();

  bool hasFailed() const { return elements.hasFailed(); }

private:
  /// The windows of some channels and columns, in memory. Tap t of channel c
  /// and column j is element first + t * tapSize + c * rowSize + j.
  struct Windows {
    Elements memory;
    mlir::Value first;
    int64_t tapSize, rowSize;
  };

  void addTo(const Elements &memory, mlir::Value offset, mlir::Value value,
             mlir::Value isFirst, const Lanes &lanes) const;
  void storeRow(mlir::Value row, mlir::Value begin, mlir::Value end);
  mlir::Value addSlices(mlir::Value begin, mlir::Value end, mlir::Value offset,
                        const Lanes &lanes) const;
  mlir::Value addAllSlices(mlir::Value offset, const Lanes &lanes) const;
  mlir::Value buildZero(const Lanes &lanes) const;
  mlir::Value offsetOf(const Windows &windows, mlir::Value channel) const {
    return ops.mul(channel, ops.constant(windows.rowSize));
  }
  /// Calls `build` for each vector of the tile's columns.
  template <typename Build> void forEachColumnVector(Build build) const {
    forEachVector(frame, block.columnCount, plan.shape.lanes,
                  std::gcd(plan.columns, plan.shape.panelColumns), build);
  }

  const WinogradGradientPlan &plan;
  const GradientBlock &block;
  KernelFrame &frame;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  Elements sums, parts;
  mlir::Value sliceCount;
  Windows group, total;
  ElementEmitter elements;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTWINDOWS_H
