/// Layers that go over sequences step by step.
///
/// Sequences are [n, t, d]. Inputs of these layers are a sequence; or a
/// sequence and its lengths, integers [n]: past its length a row's output is 0
/// and its state stays, so that each row gives what it gives alone. A length
/// below 0 counts as 0, and one above t as t. Then come, if wanted, the states
/// to begin with, [n, units] each, which are 0 otherwise. One step by itself,
/// for loops of one's own: [n, d] and the states give the outputs [n, units]
/// and the next states.
#ifndef TG_NN_RECURRENT_H
#define TG_NN_RECURRENT_H

#include "layer.h"
#include "merge.h"

namespace tg {

struct RecurrentOptions {
  /// Numbers per state; at least 1.
  int64_t units = 0;
  /// Which results to give, in this order: 0 is the outputs of all steps [n, t,
  /// units], then come the last states, [n, units] each. Empty: all.
  std::vector<int64_t> returnIndices = {};
  /// From the last element of each row to the first.
  bool reverse = false;
  /// The number of parts of the sequence. Training saves the state at the start
  /// of each part and recomputes the rest; 0: saves everything.
  int64_t segments = 0;
  Initializer weightInitializer = glorotUniform();
  Initializer biasInitializer = zeros();
  VariableOptions variables = {};
  std::string name = {};
};

/// The base class of these layers: a weight [d + units, gates · units], whose
/// first d rows multiply the input, and a bias [gates · units].
class Recurrent : public BaseLayer {
protected:
  Recurrent(RecurrentOptions options, int64_t gates, int64_t states,
            std::source_location where);

  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;
  /// Makes the variables of the cell beside weight and bias.
  virtual void buildCell(DType /*dtype*/) {}
  /// The next states, the output last, of those before, from x · W + b and
  /// h · U, [n, gates · units] each.
  virtual std::vector<Tensor> step(Tensor projected, Tensor recurrent,
                                   const std::vector<Tensor> &states) = 0;

  RecurrentOptions options;
  std::source_location where;

private:
  int64_t gates, stateCount;
};

struct SimpleRNNOptions {
  int64_t units = 0;
  Activation activation = tanh;
  /// As of RecurrentOptions.
  std::vector<int64_t> returnIndices = {};
  bool reverse = false;
  int64_t segments = 0;
  Initializer weightInitializer = glorotUniform();
  Initializer biasInitializer = zeros();
  VariableOptions variables = {};
  std::string name = {};
};

/// h' = activation(x · W + b + h · U). Results: outputs and h. Keras:
/// SimpleRNN.
class SimpleRNN : public Recurrent {
public:
  SimpleRNN(SimpleRNNOptions options,
            std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> step(Tensor projected, Tensor recurrent,
                           const std::vector<Tensor> &states) override;

private:
  Activation activation;
};

/// r, z = sigmoid(x · W + b + h · U) by their parts, n = tanh(x · Wₙ + bₙ + r ·
/// (h · Uₙ + c)), h' = (1 - z) · n + z · h: the gates stand in the order r, z,
/// n, and c is the variable candidate_bias [units]. Results: outputs and h. Cho
/// et al., 2014, as PyTorch's GRU and Keras' with reset_after have it.
class GRU : public Recurrent {
public:
  GRU(RecurrentOptions given,
      std::source_location place = std::source_location::current())
      : Recurrent(std::move(given), 3, 1, place) {}

protected:
  void buildCell(DType dtype) override;
  std::vector<Tensor> step(Tensor projected, Tensor recurrent,
                           const std::vector<Tensor> &states) override;

private:
  Variable candidateBias;
};

/// i, j, f, o = x · W + b + h · U by their parts, C' = C · sigmoid(f + 1) +
/// sigmoid(i) · tanh(j), h' = tanh(C') · sigmoid(o). Results: outputs, C and h.
/// Hochreiter and Schmidhuber, 1997, as TensorFlow's LSTMCell has it.
class LSTM : public Recurrent {
public:
  LSTM(RecurrentOptions given,
       std::source_location place = std::source_location::current())
      : Recurrent(std::move(given), 4, 2, place) {}

protected:
  std::vector<Tensor> step(Tensor projected, Tensor recurrent,
                           const std::vector<Tensor> &states) override;
};

struct DynamicLSTMOptions {
  int64_t units = 0;
  /// The sequences are as long as they are: there is no second input.
  bool constantSequenceLength = false;
  bool reverse = false;
  Initializer weightInitializer = glorotUniform();
  Initializer biasInitializer = zeros();
  VariableOptions variables = {};
  std::string name = {};
};

/// LSTM over a sequence and its lengths: outputs, C and h.
class DynamicLSTM : public LSTM {
public:
  DynamicLSTM(DynamicLSTMOptions options,
              std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  bool constantSequenceLength;
};

struct DynamicBiLSTMOptions {
  /// Units of the LSTM from the first element to the last, and of the other.
  int64_t forwardUnits = 0, backwardUnits = 0;
  /// As of DynamicLSTM.
  bool constantSequenceLength = false;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// Two LSTMs over a sequence and its lengths, one of them from each row's end
/// to its start: outputs of both, then C and h of the first, C and h of the
/// second.
class DynamicBiLSTM : public BaseLayer {
public:
  DynamicBiLSTM(DynamicBiLSTMOptions options,
                std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  DynamicLSTM forward, backward;
};

/// The options of both directions, and of the merge of their results, by
/// default along an axis.
template <int64_t joinedAxis> struct BiLSTMJoinOptions {
  /// As of DynamicBiLSTM.
  int64_t forwardUnits = 0, backwardUnits = 0;
  bool constantSequenceLength = false;
  Merge merge = Concat({.axis = joinedAxis});
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// The outputs of both are joined.
using BiLSTMMergeOptions = BiLSTMJoinOptions<2>;

/// The outputs of a DynamicBiLSTM as one sequence.
class BiLSTMMerge : public DynamicBiLSTM {
public:
  BiLSTMMerge(BiLSTMMergeOptions options,
              std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  Merge merge;
  std::source_location where;
};

/// The last h of both are joined.
using BiLSTMLastMergeOptions = BiLSTMJoinOptions<1>;

/// The last h of both parts of a DynamicBiLSTM as one tensor.
class BiLSTMLastMerge : public DynamicBiLSTM {
public:
  BiLSTMLastMerge(BiLSTMLastMergeOptions options,
                  std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  Merge merge;
  std::source_location where;
};

/// The cell, which determines the state that goes from step to step.
enum class RecurrentCell { simple, gru, lstm };

struct AttentionDecoderOptions {
  int64_t units = 0;
  RecurrentCell cell = RecurrentCell::lstm;
  VariableOptions variables = {};
  std::string name = {};
};

/// A recurrent layer `cell` whose outputs look at another sequence: each is
/// joined with softmax(output x encodedᵀ / sqrt(units)) x encoded, and a linear
/// layer `combine` with tanh makes [n, t, units] of both. Inputs: a sequence
/// [n, t, d], the other one [n, s, units], if wanted its lengths, integers [n],
/// and the states to begin with, as of the layers above; so is one step by
/// itself. Results: the outputs, then the last states. Luong et al., 2015.
class AttentionDecoder : public BaseLayer {
public:
  AttentionDecoder(
      AttentionDecoderOptions options,
      std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  std::source_location where;
  Layer cell, combine;
};

struct Seq2SeqOptions {
  int64_t units = 0;
  RecurrentCell cell = RecurrentCell::lstm;
  /// The decoder is an AttentionDecoder, which looks at the encoder's outputs.
  bool attention = false;
  VariableOptions variables = {};
  std::string name = {};
};

/// An encoder, whose last states are the first ones of a decoder of the same
/// kind. Inputs: the sequence to encode, the one to decode, [n, s, d] and [n,
/// t, e], and if wanted the lengths of the first. Results: the decoder's
/// outputs [n, t, units], then its last states.
class Seq2Seq : public BaseLayer {
public:
  Seq2Seq(Seq2SeqOptions options,
          std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  bool looks;
  std::source_location where;
  Layer encoder, decoder;
};

} // namespace tg

#endif // TG_NN_RECURRENT_H
