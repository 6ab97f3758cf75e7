/// Layers whose rows look at other rows.
#ifndef TG_NN_ATTENTION_H
#define TG_NN_ATTENTION_H

#include "../layer.h"

namespace tg {

struct AttentionLayerOptions {
  /// A query sees the keys up to its own place alone.
  bool causal = false;
  std::string name = {};
};

/// softmax(query x keyᵀ / sqrt(d)) x value: [..., m, e] from queries [..., m,
/// d], keys [..., n, d] and values [..., n, e]. One input is all three, of two
/// the second is key and value; a fourth is a mask of truth values, broadcast
/// to [..., m, n]. Vaswani et al., "Attention Is All You Need", 2017.
class Attention : public BaseLayer {
public:
  Attention(AttentionLayerOptions chosen = {},
            std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

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
  int64_t width = 0;
  bool causal = false;
  /// Adds biases to queries, keys, values and outputs.
  bool useBias = true;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// Attention of several heads: each has its linear queries, keys and values of
/// the inputs, and what they give is joined by a linear layer. Inputs as of
/// Attention, with one dimension of examples: query [n, t, d], key [n, s, e]
/// and value [n, s, f] to [n, t, d]; a mask is broadcast to [n, t, s].
/// Variables: a weight [d, heads · width] and a bias of query, key and value,
/// and those of the output, of which the weight is [heads · width, d]; as in
/// query_weight, output_bias. PyTorch: MultiheadAttention with batch_first.
class MultiHeadAttention : public BaseLayer {
public:
  MultiHeadAttention(
      MultiHeadAttentionOptions options = {},
      std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  int64_t widthFor(const Tensor &query) const;
  Tensor project(const Tensor &input, const std::string &part, int64_t width);
  Tensor join(const Tensor &heads, int64_t units);

  MultiHeadAttentionOptions options;
  std::source_location where;
};

} // namespace tg

#endif // TG_NN_ATTENTION_H
