/// Recurrent layers.
///
/// Sequences are [n, t, d]. The inputs are a sequence, optionally its lengths
/// (integers [n]), and optionally the initial states, [n, units] each. At and
/// after its length, a row has outputs 0 and keeps its state, so that each row
/// gives the same result in a batch as on its own. Lengths are clamped to [0,
/// t]. The default initial states are 0. For a single step in a user-written
/// loop, the inputs are [n, d] and the states, and the results are the outputs
/// [n, units] and the next states.
#ifndef TG_NN_RECURRENT_H
#define TG_NN_RECURRENT_H

#include "layer.h"
#include "merge.h"

namespace tg {

struct RecurrentOptions {
  /// The number of elements per state; at least 1.
  int64_t units = 0;
  /// The results to return, in this order. 0 stands for the outputs of all
  /// steps [n, t, units], the following numbers for the last states, [n, units]
  /// each. Empty: all results.
  std::vector<int64_t> returnIndices = {};
  /// Processes each row from its last element to its first.
  bool reverse = false;
  /// The number of segments of the sequence for rematerialization. Training
  /// saves the state at the start of each segment and recomputes the rest. 0:
  /// saves everything.
  int64_t segments = 0;
  Initializer weightInitializer = glorotUniform();
  Initializer biasInitializer = zeros();
  VariableOptions variables = {};
  std::string name = {};
};

/// The base class of the recurrent layers, with a weight [d + units, gates ·
/// units] and a bias [gates · units]. The first d rows of the weight multiply
/// the input, the other rows the state.
class Recurrent : public BaseLayer {
protected:
  Recurrent(RecurrentOptions options, int64_t gates, int64_t states,
            std::source_location where);

  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;
  /// Creates the variables of the cell other than weight and bias.
  virtual void buildCell(DType /*dtype*/) {}
  /// Computes the next states, the output last, from the previous ones, from x
  /// · W + b and from h · U, [n, gates · units] each.
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
  /// As in RecurrentOptions.
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

/// Gated recurrent unit: r, z = sigmoid(x · W + b + h · U), split by gate, n =
/// tanh(x · Wₙ + bₙ + r · (h · Uₙ + c)), h' = (1 - z) · n + z · h. The order of
/// the gates is r, z, n, and c is the variable candidate_bias [units]. Results:
/// outputs and h. Cho et al., 2014, in the variant of PyTorch's GRU and of
/// Keras' GRU with reset_after.
class GRU : public Recurrent {
public:
  GRU(RecurrentOptions chosen,
      std::source_location place = std::source_location::current())
      : Recurrent(std::move(chosen), 3, 1, place) {}

protected:
  void buildCell(DType dtype) override;
  std::vector<Tensor> step(Tensor projected, Tensor recurrent,
                           const std::vector<Tensor> &states) override;

private:
  Variable candidateBias;
};

/// Long short-term memory: i, j, f, o = x · W + b + h · U, split by gate, C' =
/// C · sigmoid(f + 1) + sigmoid(i) · tanh(j), h' = tanh(C') · sigmoid(o).
/// Results: outputs, C and h. Hochreiter and Schmidhuber, 1997, in the variant
/// of TensorFlow's LSTMCell.
class LSTM : public Recurrent {
public:
  LSTM(RecurrentOptions chosen,
       std::source_location place = std::source_location::current())
      : Recurrent(std::move(chosen), 4, 2, place) {}

protected:
  std::vector<Tensor> step(Tensor projected, Tensor recurrent,
                           const std::vector<Tensor> &states) override;
};

struct DynamicLSTMOptions {
  int64_t units = 0;
  /// True if all sequences have full length, so there is no input for lengths.
  bool constantSequenceLength = false;
  bool reverse = false;
  Initializer weightInitializer = glorotUniform();
  Initializer biasInitializer = zeros();
  VariableOptions variables = {};
  std::string name = {};
};

/// An LSTM over a sequence and its lengths. Results: outputs, C and h.
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
  /// The units of the LSTM from the first element to the last, and of the LSTM
  /// in the other direction.
  int64_t forwardUnits = 0, backwardUnits = 0;
  /// As in DynamicLSTMOptions.
  bool constantSequenceLength = false;
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// Two LSTMs over a sequence and its lengths. The second one runs from the end
/// of each row to its start. Results: outputs of both, C and h of the first, C
/// and h of the second.
class DynamicBiLSTM : public BaseLayer {
public:
  DynamicBiLSTM(DynamicBiLSTMOptions options,
                std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  DynamicLSTM forward, backward;
};

/// The options of both directions, and of the merge of their results. The
/// default merge concatenates along an axis.
template <int64_t joinedAxis> struct BiLSTMJoinOptions {
  /// As in DynamicBiLSTMOptions.
  int64_t forwardUnits = 0, backwardUnits = 0;
  bool constantSequenceLength = false;
  Merge merge = Concat({.axis = joinedAxis});
  Initializer weightInitializer = glorotUniform();
  VariableOptions variables = {};
  std::string name = {};
};

/// The options of BiLSTMMerge, which merges the outputs of both directions.
using BiLSTMMergeOptions = BiLSTMJoinOptions<2>;

/// The merged outputs of a DynamicBiLSTM, as one sequence.
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

/// The options of BiLSTMLastMerge, which merges the last h of both directions.
using BiLSTMLastMergeOptions = BiLSTMJoinOptions<1>;

/// The merged last h of both directions of a DynamicBiLSTM, as one tensor.
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

/// The recurrent cell, which determines the states of a layer.
enum class RecurrentCell { simple, gru, lstm };

struct AttentionDecoderOptions {
  int64_t units = 0;
  RecurrentCell cell = RecurrentCell::lstm;
  VariableOptions variables = {};
  std::string name = {};
};

/// A recurrent layer `cell` whose outputs attend to another sequence. Each
/// output is concatenated with softmax(output x encodedᵀ / sqrt(units)) x
/// encoded, and a linear layer `combine` with tanh maps both to [n, t, units].
/// Inputs: a sequence [n, t, d], the other sequence [n, s, units], optionally
/// the lengths of the other sequence, integers [n], and optionally the initial
/// states. A single step takes [n, d] in place of the first sequence. Results:
/// the outputs, then the last states. Luong et al., 2015.
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
  /// Makes the decoder an AttentionDecoder, which attends to the encoder's
  /// outputs.
  bool attention = false;
  VariableOptions variables = {};
  std::string name = {};
};

/// An encoder and a decoder of the same cell. The last states of the encoder
/// are the initial states of the decoder. Inputs: the sequence to encode [n, s,
/// d], the sequence to decode [n, t, e], and optionally the lengths of the
/// first. Results: the decoder's outputs [n, t, units], then its last states.
class Seq2Seq : public BaseLayer {
public:
  Seq2Seq(Seq2SeqOptions options,
          std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  bool attends;
  std::source_location where;
  Layer encoder, decoder;
};

} // namespace tg

#endif // TG_NN_RECURRENT_H
