/// Embedding layers, positional encodings and one-hot encodings.
#ifndef TG_NN_EMBEDDING_H
#define TG_NN_EMBEDDING_H

#include "layer.h"

namespace tg {

struct EmbeddingOptions {
  /// The number of rows of the table and their length; both at least 1.
  int64_t vocabulary = 0, units = 0;
  /// Prepends a constant row of zeros to the table. Index 0 then is padding,
  /// and the words count from 1.
  bool zeroPad = false;
  Initializer initializer = uniform({.low = -1, .high = 1});
  /// A table [vocabulary, units] to use instead of a new one.
  Variable table = {};
  /// Training options of the layer's own table.
  VariableOptions variables = {};
  std::string name = {};
};

/// A layer that looks up a row of the table `table` [vocabulary, units], f32,
/// for each index of an integer input: [...] to [..., units]. An index outside
/// the table is an error at run time.
///
/// If the optimizer does not change elements whose gradient is 0, a training
/// step updates only the rows that were looked up, in place. This holds for SGD
/// and Adagrad, with clipping of any kind and without weight decay. Momentum,
/// Adam and RMSProp change all rows in each step, as their formulas require,
/// and Ftrl recomputes all rows. They are not the lazy variants (LazyAdam of
/// TensorFlow, SparseAdam of PyTorch), whose slots decay only when a row is
/// used. If the table receives another gradient, such as the gradient of a
/// matrix product, a step updates all rows.
class Embedding : public BaseLayer {
public:
  using BaseLayer::build;
  Embedding(EmbeddingOptions options,
            std::source_location where = std::source_location::current());

protected:
  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;

private:
  EmbeddingOptions options;
  Variable table;
};

struct PositionEmbeddingOptions {
  /// The maximum number of steps of a sequence; at least 1.
  int64_t length = 0;
  Initializer initializer = normal({.stddev = 0.02});
  VariableOptions variables = {};
  std::string name = {};
};

/// A layer that adds a trained row of the table `positions` [length, d] to each
/// step of [n, t, d] with t <= length. The rows are the same for all sequences.
/// A longer sequence is an error, at run time at the latest. Gehring et al.,
/// "Convolutional Sequence to Sequence Learning", 2017.
class PositionEmbedding : public BaseLayer {
public:
  PositionEmbedding(
      PositionEmbeddingOptions options,
      std::source_location where = std::source_location::current());
  using BaseLayer::build;

protected:
  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;

private:
  PositionEmbeddingOptions options;
  std::source_location where;
  Variable table;
};

/// A layer that adds the sinusoidal position encoding to each step of [n, t,
/// d], for an even d and sequences of any length. It has no variables. Vaswani
/// et al., "Attention Is All You Need", 2017.
class SinusoidalPositionEmbedding : public BaseLayer {
public:
  SinusoidalPositionEmbedding(
      LayerOptions options = {},
      std::source_location place = std::source_location::current())
      : BaseLayer(place, std::move(options.name)), where(place) {}

protected:
  Tensor train(Tensor input) override;

private:
  std::source_location where;
};

struct OneHotOptions {
  /// The number of classes; at least 1.
  int64_t classes = 0;
  std::string name = {};
};

/// The one-hot encoding of integers: [...] to f32 [..., classes]. An index
/// outside [0, classes) gives zeros.
class OneHot : public BaseLayer {
public:
  OneHot(OneHotOptions options,
         std::source_location where = std::source_location::current());

protected:
  Tensor train(Tensor input) override;

private:
  OneHotOptions options;
};

/// A one-hot random sample of the class of each row of logits [n, k], sampled
/// as by categorical().
class OneSample : public BaseLayer {
public:
  OneSample(LayerOptions options = {},
            std::source_location place = std::source_location::current())
      : BaseLayer(place, std::move(options.name)), where(place) {}

protected:
  Tensor train(Tensor input) override;

private:
  std::source_location where;
};

} // namespace tg

#endif // TG_NN_EMBEDDING_H
