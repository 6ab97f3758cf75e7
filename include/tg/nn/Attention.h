/// Attention layers and transformer blocks.
#ifndef TG_NN_ATTENTION_H
#define TG_NN_ATTENTION_H

#include "layer.h"

#include <memory>

namespace tg {

struct AttentionLayerOptions {
  /// Restricts each query to the keys up to its own position.
  bool causal = false;
  /// The probability with which the weight of a key for a query is dropped in
  /// training; in [0, 1).
  double rate = 0;
  std::string name = {};
};

/// Scaled dot-product attention: softmax(query x keyᵀ / sqrt(d)) x value, from
/// queries [..., m, d], keys [..., n, d] and values [..., n, e] to [..., m, e].
/// A single input is query, key and value. With two inputs, the second is key
/// and value. A fourth input is either a boolean mask, broadcast to [..., m,
/// n], or the number of valid keys of each example, integers over dimension 0.
/// With lengths, an example gives the same result in a batch of longer examples
/// as on its own. Vaswani et al., "Attention Is All You Need", 2017.
class Attention : public BaseLayer {
public:
  Attention(AttentionLayerOptions chosen = {},
            std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {
    checkRate(options.rate, where);
  }

  /// Throws GraphError for a rate outside [0, 1).
  static void checkRate(double rate, std::source_location where);

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  AttentionLayerOptions options;
  std::source_location where;
};

struct MultiHeadAttentionOptions {
  /// The number of heads; at least 1.
  int64_t heads = 1;
  /// The size of queries, keys and values per head. 0: the width of the query
  /// divided by the number of heads, without remainder.
  int64_t headSize = 0;
  bool causal = false;
  /// The probability with which a head drops the weight of a key in training;
  /// in [0, 1).
  double rate = 0;
  /// Adds biases to queries, keys, values and outputs.
  bool useBias = true;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// Multi-head attention. Each head has linear projections of queries, keys and
/// values, and an output projection combines the results of all heads. The
/// inputs are as in Attention, with one batch dimension: query [n, t, d], key
/// [n, s, e] and value [n, s, f]. The output is [n, t, d]. A mask is broadcast
/// to [n, t, s]; lengths are [n].
///
/// The variables of query, key and value are a weight [width, heads · headSize]
/// and a bias each, where width is the width of the input: query_weight,
/// query_bias and so on. The output has output_weight [heads · headSize, d] and
/// output_bias. PyTorch: MultiheadAttention with batch_first.
class MultiHeadAttention : public BaseLayer {
public:
  MultiHeadAttention(
      MultiHeadAttentionOptions options = {},
      std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  int64_t headSizeFor(const Tensor &query) const;
  Tensor project(const Tensor &input, const std::string &role,
                 int64_t headSize);
  Tensor join(const Tensor &heads, int64_t units);

  MultiHeadAttentionOptions options;
  std::source_location where;
};

struct TransformerEncoderBlockOptions {
  /// As in MultiHeadAttentionOptions.
  int64_t heads = 1, headSize = 0;
  bool causal = false;
  /// The number of units between the two linear layers of the feed-forward
  /// part. 0: four times the width of the rows.
  int64_t units = 0;
  /// The activation of these units.
  Activation activation = gelu;
  /// The dropout rate in training, in [0, 1). It applies to the attention
  /// weights, to the attention output, to the units and to the feed-forward
  /// output.
  double rate = 0;
  /// Normalizes the input of the attention and of the feed-forward part,
  /// outside the residual path (pre-norm). Otherwise normalizes after each
  /// residual addition (post-norm).
  bool normalizeFirst = true;
  double epsilon = 1e-5;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// A transformer encoder block from rows [n, t, d] to rows [n, t, d]: y = x +
/// attention(norm(x)), then y + output(activation(hidden(norm(y)))). The layers
/// are `attention_norm`, `attention`, `units_norm`, `hidden` and `output`. A
/// second input is a boolean mask, broadcast to [n, t, t], or lengths [n], as
/// for Attention. Rows at and after a length are computed, but no other row
/// attends to them. Vaswani et al., "Attention Is All You Need", 2017;
/// pre-norm: Xiong et al., "On Layer Normalization in the Transformer
/// Architecture", 2020. PyTorch: TransformerEncoderLayer with batch_first.
class TransformerEncoderBlock : public BaseLayer {
public:
  TransformerEncoderBlock(
      TransformerEncoderBlockOptions options = {},
      std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  struct Steps;
  void makeSteps(int64_t width);

  TransformerEncoderBlockOptions options;
  std::source_location where;
  /// The inner layers, created at the first input because they depend on its
  /// width. Copies of the block share them.
  std::shared_ptr<std::shared_ptr<Steps>> steps;
};

} // namespace tg

#endif // TG_NN_ATTENTION_H
