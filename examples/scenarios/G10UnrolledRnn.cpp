/// A recurrent layer that a C++ loop unrolls: (2, 3, 4) numbers to (2, 5), in
/// eager mode for any number of time steps. In graph mode the number must be
/// static: with 3 the result is the same, a dynamic number is rejected.
#include "Modes.h"
using namespace tg;

/// A layer that computes state = relu(x_t · kernel + bias) + relu(state ·
/// recurrent + recurrentBias).
class UnrolledRnn : public BaseLayer {
protected:
  void build(const TensorType &input) override {
    kernel = addWeight("kernel", {input.dim(-1), units}, normal());
    bias = addWeight("bias", {units}, ones());
    recurrent = addWeight("recurrent", {units, units}, normal());
    recurrentBias = addWeight("recurrentBias", {units}, ones());
  }
  Tensor train(Tensor x) override {
    Tensor state = Program::of(x).zeros({x.shape()[0], units}, x.dtype());
    for (int64_t t = 0; t < x.dim(1); ++t)
      state = relu(matmul(x[{Slice(), t}], kernel) + bias) +
              relu(matmul(state, recurrent) + recurrentBias);
    return state;
  }

private:
  static constexpr int64_t units = 5;
  Variable kernel, bias, recurrent, recurrentBias;
};

int main() {
  std::vector<float> numbers(2 * 3 * 4);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i) / 8;
  Values found = valuesOfBothModes(
      [&](Program &program) {
        Tensor state = UnrolledRnn()(program.tensor(numbers, {2, 3, 4}));
        check(toString(state.shape()) == "[2, 5]", "a state of [2, 5]");
        return std::vector<Tensor>{state};
      },
      1e-4);
  check(found[0].size() == 10, "10 numbers");

  Program graph("unknown");
  Tensor x = graph.input("x", f32, {2, dim("time"), 4});
  expectRefusal([&] { UnrolledRnn()(x); },
                "expected dim 1 of shape [2, time, 4] to be known");
}
