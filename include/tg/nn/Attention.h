/// Layers whose rows look at other rows.
#ifndef TG_NN_ATTENTION_H
#define TG_NN_ATTENTION_H

#include "layer.h"

#include <memory>

namespace tg {

struct AttentionLayerOptions {
  /// A query sees the keys up to its own place alone.
  bool causal = false;
  /// While training, the probability with which a query misses a key; in
  /// [0, 1).
  double rate = 0;
  std::string name = {};
};

/// softmax(query x keyᵀ / sqrt(d)) x value: [..., m, e] from queries [..., m,
/// d], keys [..., n, d] and values [..., n, e]. One input is all three, of two
/// the second is key and value. A fourth is a mask of truth values, broadcast
/// to [..., m, n], or whole numbers, one for each example of dimension 0: how
/// many keys it has, so that an example in a batch of others of more rows gives
/// what it gives alone. Vaswani et al., "Attention Is All You Need", 2017.
class Attention : public BaseLayer {
public:
  Attention(AttentionLayerOptions chosen = {},
            std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {
    checkRate(options.rate, where);
  }

  /// Throws GraphError for a rate out of [0, 1).
  static void checkRate(double rate, std::source_location where);

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  AttentionLayerOptions options;
  std::source_location where;
};

struct MultiHeadAttentionOptions {
  /// At least 1.
  int64_t heads = 1;
  /// Numbers per head of queries, keys and values; 0: the width of the query
  /// over the number of heads, which divides it.
  int64_t headSize = 0;
  bool causal = false;
  /// While training, the probability with which a head misses a key; in [0, 1).
  double rate = 0;
  /// Adds biases to queries, keys, values and outputs.
  bool useBias = true;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// Attention of several heads: each has its linear queries, keys and values of
/// the inputs, and what they give is joined by a linear layer. Inputs as of
/// Attention, with one dimension of examples: query [n, t, d], key [n, s, e]
/// and value [n, s, f] to [n, t, d]; a mask is broadcast to [n, t, s], lengths
/// are [n].
/// Variables: a weight [d, heads · headSize] and a bias of query, key and
/// value, and those of the output, of which the weight is [heads · headSize,
/// d]; as in query_weight, output_bias. PyTorch: MultiheadAttention with
/// batch_first.
class MultiHeadAttention : public BaseLayer {
public:
  MultiHeadAttention(
      MultiHeadAttentionOptions options = {},
      std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  int64_t headSizeFor(const Tensor &query) const;
  Tensor project(const Tensor &input, const std::string &part,
                 int64_t headSize);
  Tensor join(const Tensor &heads, int64_t units);

  MultiHeadAttentionOptions options;
  std::source_location where;
};

struct TransformerEncoderBlockOptions {
  /// As of MultiHeadAttention.
  int64_t heads = 1, headSize = 0;
  bool causal = false;
  /// Numbers between the two linear layers behind the attention; 0: four times
  /// the width of the rows.
  int64_t units = 0;
  /// The function that is applied to these numbers.
  Activation activation = gelu;
  /// While training, the probability of a zero: of the attention's weights, of
  /// what the attention adds, of the units and of what they add; in [0, 1).
  double rate = 0;
  /// Rows are normalized before the attention and before the linear layers, and
  /// what is added to is not; otherwise after each addition.
  bool normalizeFirst = true;
  double epsilon = 1e-5;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// Rows [n, t, d] to such rows: x + attention(norm(x)), and of that x +
/// output(activation(hidden(norm(x)))): the layers `attention_norm` and
/// `attention`, `units_norm`, `hidden` and `output`. A second input
/// is a mask of truth values, broadcast to [n, t, t], or lengths [n], as of
/// Attention: rows at and beyond a length are computed, but no other row sees
/// them. Vaswani et al., "Attention Is All You Need", 2017; normalized first:
/// Xiong et al., "On Layer Normalization in the Transformer Architecture",
/// 2020. PyTorch: TransformerEncoderLayer with batch_first.
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
  /// Made at the first input, whose width they have; copies share them.
  std::shared_ptr<std::shared_ptr<Steps>> steps;
};

} // namespace tg

#endif // TG_NN_ATTENTION_H
