/// ZCA whitening: examples with uncorrelated elements, close to the originals.
#ifndef TG_DATA_WHITENING_HPP
#define TG_DATA_WHITENING_HPP

#include "feature.hpp"

namespace tg::data {

/// The map x -> W (x - mean) with W = V (D + bias)^-1/2 V^T, where V D V^T is
/// the covariance of the examples to which it was fitted. All computations are
/// in f64.
class Whitening {
public:
  /// Fits the map to examples [count, ...] of f32 or u8. For d elements per
  /// example it takes a time proportional to count * d^2 + d^3, and memory for
  /// some d^2 numbers. Throws DataError for other features, for infinities and
  /// NaNs, and if there are no elements or the bias is not above 0.
  static Whitening fit(const Feature &examples, double bias = 0.1);
  /// Takes a map that was saved: d means and a matrix [d, d] of f64.
  Whitening(Feature mean, Feature matrix);

  /// Returns an example of f32 or u8 and d elements, whitened, as f32.
  Feature apply(const Feature &example) const;

  const Feature &mean() const { return means; }
  const Feature &matrix() const { return weights; }

private:
  Feature means, weights;
};

} // namespace tg::data

#endif // TG_DATA_WHITENING_HPP
