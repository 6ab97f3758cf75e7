/// Layers between class numbers and rows of numbers.
#ifndef TG_NN_EMBEDDING_H
#define TG_NN_EMBEDDING_H

#include "layer.h"

namespace tg {

struct EmbeddingOptions {
  /// Rows of the table, and numbers per row; both at least 1.
  int64_t vocabulary = 0, units = 0;
  /// Puts a row of zeros, which is not trained, before the others: index 0 is
  /// padding and the words count from 1.
  bool zeroPad = false;
  Initializer initializer = uniform({.low = -1, .high = 1});
  /// A table [vocabulary, units] to use instead of an own one.
  Variable table = {};
  /// Training options of the layer's own table.
  VariableOptions variables = {};
  std::string name = {};
};

/// Looks up a row of the table `table` [vocabulary, units], f32, for each index
/// of an integer input: [...] to [..., units]. An index outside the table is an
/// error at run time.
///
/// A step of training touches the rows that were looked up and no others, in
/// the table's own memory, if the optimizer leaves an element as it is where
/// its gradient is 0: SGD and Adagrad, with clipping of any kind and without
/// weight decay. Momentum, Adam and RMSProp change all rows in each step, as
/// their formulas say, and Ftrl computes all of them anew. They are not the
/// lazy variants (LazyAdam of TensorFlow, SparseAdam of PyTorch), whose slots
/// decay only when a row is used. Where another gradient reaches the table, as
/// of a product with it, a step is one of all rows, too.
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
  /// The most steps that a sequence may have; at least 1.
  int64_t length = 0;
  Initializer initializer = normal({.stddev = 0.02});
  VariableOptions variables = {};
  std::string name = {};
};

/// Adds a row of a table that is learned to each step: [n, t, d] with t <=
/// length, the same for every sequence; the table is `positions` [length, d]. A
/// longer sequence is an error, at run time if not before. Gehring et al.,
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

/// Adds the sinusoids of its position to each step, [n, t, d] with an even d,
/// for sequences of any length; nothing is learned. Vaswani et al., "Attention
/// Is All You Need", 2017.
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

/// Integers [...] to f32 [..., classes]: 1 at the index, 0 elsewhere; an index
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

/// One class drawn per row of logits [n, k], as a row of zeros and a 1; as
/// categorical() draws.
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
