//===- WinogradFilter.h - the factors of a filter's windows ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADFILTER_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADFILTER_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTransform.h"

namespace tg {

/// The axis of channels of a filter [3, 3, channels, columns], which has the
/// columns of an adjoint, [3, 3, columns, channels].
inline constexpr unsigned kFilterRows = 2;

/// Transforms windows of a filter, panel by panel.
class WinogradWindows {
public:
  /// An argument of static extents. An adjoint's windows are read from the last
  /// tap to the first.
  struct Filter {
    Elements elements;
    int64_t channels, columns;
    bool isAdjoint;
  };
  /// Some channels of some columns that begin a panel.
  struct Block {
    mlir::Value channel, channels, column, columns;
  };
  /// The places of factors: number p of channel c and column j of a block is at
  /// first + p * size + c * width + j.
  struct Target {
    Elements elements;
    mlir::Value first, size;
  };

  /// Elements of scratch memory for panels of `width` columns; none for some
  /// filters.
  static int64_t scratchElements(const Filter &filter, int64_t width,
                                 unsigned lanes);

  /// Makes factors for `tile`, in vectors of `lanes`.
  WinogradWindows(KernelFrame &frame, const Filter &filter, winograd::Tile tile,
                  int64_t width, unsigned lanes, const Elements &scratch);

  /// Transforms the windows of a block, with zeros for columns that the panel
  /// lacks.
  void transform(const Block &block, const Target &target) const;

private:
  /// Windows in memory: tap t of channel c and column j lies at
  /// first + t * tap + c * channel + j.
  struct Windows {
    Elements elements;
    mlir::Value first, tap, channel;
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
