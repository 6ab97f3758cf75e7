//===- Workloads.h - the table of workloads -------------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_WORKLOADS_H
#define TG_TOOLS_TGC_BENCH_WORKLOADS_H

#include "tools/common/Machine.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tg::bench {

/// The kind of a workload, which determines how its program is built.
enum class Kind {
  layers,
  products,
  gelu,
  softmax,
  layerNorm,
  columnSums,
  adam,
  /// A step of gradient descent on the rows of a table that were looked up.
  embedding,
  /// Rows padded along the columns; rows of which half the columns are
  /// replaced; transposed matrices.
  pad,
  updateSlice,
  transpose,
  /// Cumulative sums along rows and along columns; the largest few of each row.
  rowCumsum,
  columnCumsum,
  topK,
  /// The indices of elements above 0; these elements.
  nonzero,
  booleanMask,
  network,
  /// The gradients of a convolution with respect to its input and its filter.
  inputGradient,
  filterGradient
};

/// One workload. It has the name, batch sizes and counts of the benchmark that
/// it is compared with.
struct Workload {
  std::string name;
  Kind kind = Kind::layers;
  /// For linear layers, their widths; for products, the number of matrices, M,
  /// N and K; for networks and gradients of convolutions, see NetworkProgram;
  /// for others, the numbers of rows and columns, or of elements.
  std::vector<int64_t> sizes;
  /// True if a ReLU also follows the last layer.
  bool lastRelu = false;
  /// The batch sizes per mode; a micro workload has its own rows and batch 1.
  std::vector<int64_t> infer, train;
  /// The rows of a micro workload; 0 for networks.
  int64_t rows = 0;
  /// The FLOPs of one item's forward pass / 10^6, and the minimum traffic of a
  /// call in bytes / 10^9, which is 0 if arithmetic bounds the call.
  double mflop = 0, gbyte = 0;
  Limit limit = Limit::fma;
  /// True to train with momentum instead of Adam.
  bool momentum = false;
  /// The number of classes of the loss.
  int64_t classes = 0;
};

/// One row of the results.
struct Row {
  const Workload *workload;
  bool train;
  int64_t batch;
  /// Returns the FLOPs of a call / 10^9; a training step counts as three
  /// forward passes.
  double gflop() const;
  /// Return the number of rows of the input, and the number of rows that are
  /// compared with the interpreter. The latter is all for sums over rows, but
  /// one for networks, because the interpreter is slow.
  int64_t inputRows() const;
  int64_t comparedRows() const;
  /// Return the limit that bounds the row, and the minimum traffic of a call in
  /// bytes / 10^9. Linear layers with one row are bounded by reading each of
  /// their weights once.
  Limit limit() const;
  double limitGbyte() const;
};

/// Returns all workloads.
const std::vector<Workload> &getWorkloads();

/// Returns the rows of the workloads that `names` (a list of names, prefixes
/// with `*`, or `all`) and the mode (infer, train, all) select; batch 0 selects
/// every batch.
std::vector<Row> findRows(llvm::StringRef names, llvm::StringRef mode,
                          int64_t batch);

/// Returns the program of a row as text: variables and one function, "test" or
/// "train". `rows` replaces the rows of the input.
std::string programOf(const Row &row, int64_t rows);

/// Returns the program of one op that moves or selects elements or computes
/// cumulative sums; empty for other kinds.
std::string movementProgramOf(const Row &row, int64_t rows);

/// Returns the program of one op with sliding windows over images.
std::string windowProgramOf(const Row &row, int64_t rows);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_WORKLOADS_H
