//===- Workloads.h - the networks that are timed --------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_WORKLOADS_H
#define TG_TOOLS_TGC_BENCH_WORKLOADS_H

#include "tools/common/Machine.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tg::bench {

/// The kind of a workload, which says how its program is built.
enum class Kind {
  layers,
  products,
  gelu,
  softmax,
  layerNorm,
  columnSums,
  adam,
  /// A step of plain descent of the rows of a table that were looked up.
  embedding,
  /// Rows with a border in the columns, and rows of which half the columns are
  /// replaced; matrices with their rows and columns exchanged.
  pad,
  updateSlice,
  transpose,
  /// Running sums along rows and along columns; the best few of each row.
  rowCumsum,
  columnCumsum,
  topK,
  /// The places of elements above 0, and these elements.
  nonzero,
  booleanMask,
  network,
  /// The gradients of a convolution in its input and in its filter.
  inputGradient,
  filterGradient
};

/// One workload; names, batch sizes and counts are those of the peers' harness.
struct Workload {
  std::string name;
  Kind kind = Kind::layers;
  /// Widths of linear layers; of products matrices, M, N and K; of networks and
  /// of convolutions' gradients those of NetworkProgram; of the others rows and
  /// columns, or elements.
  std::vector<int64_t> sizes;
  /// ReLU behind the last layer, too.
  bool lastRelu = false;
  /// Batch sizes per mode; a micro workload has rows of its own and batch 1.
  std::vector<int64_t> infer, train;
  /// Rows of a micro workload; 0 for networks.
  int64_t rows = 0;
  /// FLOPs of one item's forward pass / 10^6; minimal traffic of a call in
  /// bytes / 10^9, 0 where arithmetic bounds it.
  double mflop = 0, gbyte = 0;
  Limit limit = Limit::fma;
  /// Trained by momentum instead of Adam.
  bool momentum = false;
  /// Classes of the loss.
  int64_t classes = 0;
};

/// One row of the results.
struct Row {
  const Workload *workload;
  bool train;
  int64_t batch;
  /// FLOPs / 10^9 of a call; a training step counts as three forwards.
  double gflop() const;
  /// Rows of the input, and how many of them are compared with the interpreter:
  /// sums over rows need all; of networks, which take it long, one is.
  int64_t inputRows() const;
  int64_t comparedRows() const;
  /// Returns the resource that bounds the row, and sets the bytes / 10^9 that
  /// count: the weights of a product with one row are read once.
  Limit limit() const;
  double limitGbyte() const;
};

/// All workloads.
const std::vector<Workload> &getWorkloads();

/// Rows of the workloads that `names` (a list of names, prefixes with `*`, or
/// `all`) and the mode (infer, train, all) choose; batch 0 is every batch.
std::vector<Row> findRows(llvm::StringRef names, llvm::StringRef mode,
                          int64_t batch);

/// The program of a row as text: variables and one function, "test" or
/// "train". `rows` replaces the rows of the input.
std::string programOf(const Row &row, int64_t rows);

/// The program of one op that moves or picks elements, or sums as it goes;
/// empty for other kinds.
std::string movementProgramOf(const Row &row, int64_t rows);

/// The program of one op that meets images in windows.
std::string windowProgramOf(const Row &row, int64_t rows);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_WORKLOADS_H
