//===- WinogradFilter.h - transformed filters -----------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADFILTER_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADFILTER_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/winograd/WinogradTransform.h"

namespace tg {

/// Transforms windows of a filter to factors, panel by panel.
class WinogradWindows {
public:
  /// A filter: an argument of static extents. The windows of an adjoint are
  /// read from the last tap to the first.
  struct Filter {
    Elements elements;
    int64_t channels, columns;
    bool isAdjoint;
  };
  /// `channels` channels from `channel` on, and `columns` columns from `column`
  /// on, which is the first column of a panel.
  struct Block {
    mlir::Value channel, channels, column, columns;
  };
  /// The memory of the factors of a block: factor p of channel c and column j
  /// is at
  ///   first + p * productStride + c * width + j.
  struct Target {
    Elements elements;
    mlir::Value first, productStride;
  };

  /// Returns the number of scratch elements for panels of `width` columns; 0 if
  /// the filter needs none.
  static int64_t scratchElements(const Filter &filter, int64_t width,
                                 unsigned lanes);

  /// Transforms windows to factors for `tile`, in vectors of `lanes` and panels
  /// of `width` columns.
  WinogradWindows(KernelFrame &frame, const Filter &filter, winograd::Tile tile,
                  int64_t width, unsigned lanes, const Elements &scratch);

  /// Transforms the windows of a block, with zeros for the columns of the panel
  /// after the last one.
  void transform(const Block &block, const Target &target) const;

private:
  /// Windows in memory: tap t of channel c and column j is at
  ///   first + t * tapStride + c * channelStride + j.
  struct Windows {
    Elements elements;
    mlir::Value first, tapStride, channelStride;
  };
  Windows transpose(const Block &block) const;
  void transformChannels(const Windows &windows, const Block &block,
                         const Target &target) const;
  void transformColumns(const Windows &windows, mlir::Value begin,
                        const Block &block, const Target &target,
                        mlir::Value first) const;

  KernelFrame &frame;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  Filter filter;
  winograd::Tile tile;
  int64_t width;
  unsigned lanes;
  Elements scratch;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADFILTER_H
