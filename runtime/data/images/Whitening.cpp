//===- Whitening.cpp - ZCA whitening of examples --------------------------===//
#include "Pixels.h"

#include "tg/data/whitening.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

using namespace tg::data;

using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

static constexpr tg_dtype_t f64Type = {TG_DTYPE_FLOAT, 64, 1};

/// The number of examples that are converted to f64 at once.
static constexpr int64_t blockExamples = 256;

/// Returns `count` elements from element `begin`, as f64.
static Eigen::VectorXd elementsOf(const Feature &feature, size_t begin,
                                  size_t count) {
  Eigen::VectorXd numbers(count);
  auto convert = [&](auto values) {
    std::ranges::copy(values.subspan(begin, count), numbers.begin());
  };
  if (isType(feature, f32Type))
    convert(feature.values<float>());
  else if (isType(feature, u8Type))
    convert(feature.values<uint8_t>());
  else
    throw DataError("expected elements f32 or ui8, found " + textOf(feature));
  return numbers;
}

/// Calls a function with matrices of some examples each, one in a row.
template <typename Function>
static void visitExamples(const Feature &examples, int64_t count, int64_t size,
                          Function function) {
  for (int64_t begin = 0; begin < count; begin += blockExamples) {
    const int64_t rows = std::min(blockExamples, count - begin);
    const Eigen::VectorXd numbers =
        elementsOf(examples, begin * size, rows * size);
    function(Eigen::Map<const Matrix>(numbers.data(), rows, size));
  }
}

template <typename Numbers> static Feature featureOf(const Numbers &numbers) {
  std::vector<int64_t> shape = {numbers.rows()};
  if (numbers.cols() != 1)
    shape.push_back(numbers.cols());
  Feature made(f64Type, std::move(shape));
  Eigen::Map<Matrix>(made.values<double>().data(), numbers.rows(),
                     numbers.cols()) = numbers;
  return made;
}

/// Returns V (D + bias)^-1/2 V^T for a covariance V D V^T.
static Matrix inverseRoot(const Matrix &covariance, double bias) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance);
  if (solver.info() != Eigen::Success)
    throw DataError("cannot compute the eigenvalues of the covariance of " +
                    std::to_string(covariance.rows()) + " elements");
  // Rounding makes an eigenvalue of 0 a small negative number.
  const Eigen::VectorXd scales =
      (solver.eigenvalues().array().max(0) + bias).rsqrt();
  const Matrix &vectors = solver.eigenvectors();
  return vectors * scales.asDiagonal() * vectors.transpose();
}

Whitening Whitening::fit(const Feature &examples, double bias) {
  if (examples.shape().empty() || examples.size() == 0)
    throw DataError("expected examples [count, ...], found " +
                    textOf(examples));
  if (!(bias > 0))
    throw DataError("expected a bias above 0, found " + std::to_string(bias));
  const int64_t count = examples.shape()[0];
  const auto size = static_cast<int64_t>(examples.size()) / count;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(size);
  visitExamples(examples, count, size, [&](const auto &rows) {
    sum += rows.colwise().sum().transpose();
  });
  const Eigen::VectorXd mean = sum / static_cast<double>(count);
  if (!mean.allFinite())
    throw DataError("expected finite elements, found infinities or NaNs in " +
                    textOf(examples));
  Matrix covariance = Matrix::Zero(size, size);
  visitExamples(examples, count, size, [&](const auto &rows) {
    const Matrix centered = rows.rowwise() - mean.transpose();
    covariance.template selfadjointView<Eigen::Lower>().rankUpdate(
        centered.transpose());
  });
  covariance /= static_cast<double>(count);
  return {featureOf(mean), featureOf(inverseRoot(covariance, bias))};
}

Whitening::Whitening(Feature mean, Feature matrix)
    : means(std::move(mean)), weights(std::move(matrix)) {
  const auto size = static_cast<int64_t>(means.size());
  if (!isType(means, f64Type) || !isType(weights, f64Type) || size == 0 ||
      static_cast<int64_t>(weights.size()) / size != size ||
      static_cast<int64_t>(weights.size()) % size)
    throw DataError("expected f64 means [d] and a matrix [d, d], found " +
                    textOf(means) + " and " + textOf(weights));
}

Feature Whitening::apply(const Feature &example) const {
  if (example.size() != means.size())
    throw DataError("expected an example of " + std::to_string(means.size()) +
                    " elements, found " + textOf(example));
  const auto size = static_cast<Eigen::Index>(means.size());
  const Eigen::Map<const Eigen::VectorXd> mean(means.values<double>().data(),
                                               size);
  const Eigen::Map<const Matrix> matrix(weights.values<double>().data(), size,
                                        size);
  const Eigen::VectorXd whitened =
      matrix * (elementsOf(example, 0, example.size()) - mean);
  Feature made(f32Type, example.shape());
  Eigen::Map<Eigen::VectorXf>(made.values<float>().data(), size) =
      whitened.cast<float>();
  return made;
}
