//===- WinogradTexts.h - kernels of Winograd convolutions as text ---------===//
#ifndef TG_TEST_COMPILER_CODEGEN_CPU_WINOGRAD_WINOGRADTEXTS_H
#define TG_TEST_COMPILER_CODEGEN_CPU_WINOGRAD_WINOGRADTEXTS_H

#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include <string>

namespace tg::test {

/// A convolution with input [n, h, w, c], filter [3, 3, c, f], and `low` and
/// `high` zeros around both spatial axes. `n` is dynamic if `isOpen`. The
/// adjoint (`isAdjoint`) computes the input from the output. If `reduces`, the
/// epilogue result is reduced over all positions. Tiles are `positions` wide.
struct Geometry {
  int64_t n, h, w, c, f, low = 1, high = 1;
  int64_t width = 64;
  bool isOpen = false, isAdjoint = false, reduces = false;
  int64_t positions = 4;

  /// The columns of the filter's panels, and the channels that are summed over.
  int64_t filterColumns() const { return isAdjoint ? c : f; }
  int64_t filterRows() const { return isAdjoint ? f : c; }
  int64_t lines() const { return h + low + high - 2; }
  int64_t columns() const { return w + low + high - 2; }
  /// Returns the order of the convolution's sums, as an entry of an attribute
  /// dictionary.
  std::string order(const std::string &blocks) const {
    return ", tg.order = #tg.order<blocks = [" + blocks +
           "], winograd = " + std::to_string(positions) + ">";
  }
  /// Returns the order of sums over all positions by Winograd tiles.
  std::string rowOrder() const {
    std::string size = std::to_string(positions);
    return ", tg.order = #tg.order<lines = [12, 64, 64], tile = [" + size +
           ", " + size + "]>";
  }
  /// Returns the algorithm attribute of the kernel.
  std::string algorithm() const {
    return " attributes {algorithm = \"" + winogradAlgorithm(positions).str() +
           "\"} ";
  }
};

/// The form of the filter: plain for direct products, plain and transformed by
/// the kernel, or transformed ahead of time.
enum class FilterForm { plain, transforms, packed };

/// Returns the text of the kernel that packs the filter.
std::string packText(const Geometry &g);

/// Returns the text of a convolution kernel whose epilogue reads a row of
/// columns and a whole tensor.
std::string convText(const Geometry &g, FilterForm form);

/// Returns the text of a kernel that computes the filter gradient and adds it
/// to the weights.
std::string gradientText(const Geometry &g, bool isTransformed);

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_WINOGRAD_WINOGRADTEXTS_H
