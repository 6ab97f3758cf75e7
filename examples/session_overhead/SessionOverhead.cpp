/// Compares the time of a session's run with that of calling its compiled
/// function directly: both alternate, and the fastest of many rounds counts.
#include "../Example.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace tg;

namespace {
/// A clock for the nanoseconds per call in the fastest of several rounds.
class Stopwatch {
public:
  template <typename Call> void round(Call call) {
    constexpr int calls = 2000;
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      call();
    std::chrono::duration<double, std::nano> elapsed =
        std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, elapsed.count() / calls);
  }

  double fastest = 1e18;
};

/// A direct call of the function, like that of a host in C.
class Call {
public:
  Call(const std::string &path, std::vector<float> &numbers)
      : extent(static_cast<int64_t>(numbers.size())) {
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    if (tg_module_load(path.c_str(), nullptr, &module, &error) != TG_OK ||
        tg_context_create(module, nullptr, &context, &error) != TG_OK ||
        tg_context_init(context, 0, &error) != TG_OK ||
        tg_module_find_function(module, "run", &function, &error) != TG_OK ||
        tg_context_reserve(context, function, &extent, &error) != TG_OK)
      throw std::runtime_error(error.message);
    input = describe(numbers.data(), 1);
    output = describe(&sum, 0);
  }
  ~Call() {
    tg_context_destroy(context);
    tg_module_unload(module, nullptr);
  }
  Call(const Call &) = delete;

  float operator()() {
    if (tg_context_run(context, function, &input, 1, &output, 1, nullptr) !=
        TG_OK)
      throw std::runtime_error("expected the function to run");
    return sum;
  }

private:
  tg_tensor_t describe(float *data, int32_t rank) {
    tg_tensor_t tensor = {};
    tensor.data = data;
    tensor.device.device_type = TG_DEVICE_CPU;
    tensor.dtype = {TG_DTYPE_FLOAT, 32, 1};
    tensor.ndim = rank;
    tensor.shape = &extent;
    return tensor;
  }

  int64_t extent;
  float sum = 0;
  tg_module_t *module = nullptr;
  tg_context_t *context = nullptr;
  uint32_t function = 0;
  tg_tensor_t input, output;
};
} // namespace

static void body(const std::string &directory) {
  Tensor x = placeholder(f32, {dim("n")}, "x");
  Variable w = variable(2.0, "w");
  Tensor y = reduceSum(x * w);
  Program graph = defaultGraph();
  graph.function("run", {.inputs = {x}, .outputs = {{"y", y}}});
  std::string path = directory + "/overhead.so";
  graph.compile(path);

  std::vector<float> numbers(16, 1.5f);
  Call call(path, numbers);
  Session session;
  session.run(globalVariablesInitializer());
  double expected = call();
  example::check(session.run(y, {{x, numbers}}).scalar() == expected,
                 "equal values of both");

  Stopwatch ofCall, ofSession, ofPair;
  for (int round = 0; round < 50; ++round) {
    ofCall.round([&] { call(); });
    ofSession.round([&] { session.run(y, {{x, numbers}}); });
    ofPair.round([&] { session.run({y, w}, {{"x", numbers}}); });
  }
  std::printf("function %.0f ns, session.run %.0f ns, of two fetches with a "
              "feed by name %.0f ns\n",
              ofCall.fastest, ofSession.fastest, ofPair.fastest);
  double overhead = ofSession.fastest - ofCall.fastest;
  std::printf("session.run adds %.0f ns\n", overhead);
  example::check(overhead < 3000,
                 "less than 3 µs, found " + std::to_string(overhead) + " ns");
}

int main(int argc, char **argv) { return example::run(argc, argv, body); }
