//===- Sparse.cpp - sparse matrices ---------------------------------------===//
#include "tg/tensor/sparse.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/program.h"
#include "tg/tensor/functional.h"

using namespace tg;
using namespace tg::dsl;

/// Throws GraphError unless positions, values and extents describe a matrix.
static void expectMatrix(const SparseTensor &sparse, Place where) {
  expectDefined(sparse.indices, where);
  expectDefined(sparse.values, where);
  const Tensor &indices = sparse.indices, &values = sparse.values;
  if (indices.rank() != 2 || extentList(indices)[1] != 2 ||
      values.rank() != 1 || sparse.denseShape.size() != 2)
    raise("expected indices [k, 2], values [k] and two extents of a sparse "
          "matrix, found " +
              toString(indices.shape()) + ", " + toString(values.shape()) +
              " and " + std::to_string(sparse.denseShape.size()) + " extents",
          indices.body(), where);
}

/// Returns the sums of `rows` by row of the sparse matrix: element i of the
/// result is the sum of rows[j] for all values j in row i of the matrix. `rows`
/// is [k, ...], with one row for each of the k values.
static Tensor sumByRow(const SparseTensor &sparse, const Tensor &rows,
                       Place where) {
  Shape shape = rows.shape();
  shape[0] = sparse.denseShape[0];
  Tensor zeros = Program::of(rows).zeros(shape, rows.dtype(), where);
  return scatterAdd(zeros, sparse.indices[{Slice(), 0}], rows);
}

Tensor tg::sparseTensorDenseMatmul(const SparseTensor &sparse, Operand dense) {
  Scope scope(dense.tensor().body(), "sparseTensorDenseMatmul", dense.where());
  expectMatrix(sparse, dense.where());
  const Tensor &matrix = dense.tensor();
  int64_t columns = sparse.denseShape[1].value;
  if (matrix.rank() != 2 || matrix.shape()[1].value == -1 ||
      (columns != -1 && matrix.shape()[0].value != -1 &&
       columns != matrix.shape()[0].value))
    raise("expected a dense matrix " +
              toString(Shape{sparse.denseShape[1], dim("e")}) +
              " with e known, found " + toString(matrix.shape()),
          matrix.body(), dense.where());
  Tensor rows = gather(dense, sparse.indices[{Slice(), 1}]);
  return sumByRow(sparse, rows * expandDims(sparse.values, -1), dense.where());
}

/// Throws GraphError unless a table has rows and `weights`, if there are any,
/// are a list.
static void expectLookup(const Operand &table, const Tensor &weights) {
  if (table.tensor().rank() == 0)
    raise("expected a table [rows, ...], found a scalar", table.tensor().body(),
          table.where());
  if (weights.isDefined() && weights.rank() != 1)
    raise("expected weights [k] of the ids, found " + toString(weights.shape()),
          table.tensor().body(), table.where());
}

Tensor tg::embeddingLookupSparse(Operand table, const SparseTensor &ids,
                                 const LookupOptions &options) {
  Scope scope(table);
  expectMatrix(ids, table.where());
  Tensor weights = options.weights;
  expectLookup(table, weights);
  Tensor rows = gather(table, ids.values);
  bool isPlainSum = !weights.isDefined() && options.combiner == Combiner::sum;
  if (isPlainSum)
    return sumByRow(ids, rows, table.where());
  if (!weights.isDefined())
    weights = onesLike(cast(ids.values, rows.dtype()));
  Tensor sum = sumByRow(ids, rows * expandDims(weights, -1), table.where());
  if (options.combiner == Combiner::sum)
    return sum;
  bool isMean = options.combiner == Combiner::mean;
  Tensor total =
      sumByRow(ids, isMean ? weights : weights * weights, table.where());
  // A row without ids is 0.
  Tensor divisor = select(total == 0.0, 1.0, total);
  return sum / expandDims(isMean ? divisor : sqrt(divisor), -1);
}
