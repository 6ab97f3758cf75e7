/// a + b of [1000, 100] on one device, placed on others, split over two devices
/// by hand, and by makeParallel: always the same numbers. A GPU that does not
/// exist is an error, or with soft placement the first CPU device. GPUs of the
/// machine compute the same numbers.
#include "Scenario.h"

#include <algorithm>
#include <random>
using namespace tg;

/// Throws unless both are [1000, 100] and equal.
static void expectSame(const char *name, const Array &found,
                       const Array &expected) {
  std::printf("%s: shape [%ld, %ld], first element %g\n", name,
              long(found.shape()[0]), long(found.shape()[1]), found.at(0));
  check(found.shape() == expected.shape() &&
            found.to<float>() == expected.to<float>(),
        std::string("the same numbers ") + name);
}

static Array randomArray(int64_t rows, int64_t columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(size_t(rows * columns));
  for (float &number : numbers)
    number = uniform(generator);
  return Array(numbers, {rows, columns});
}

static void run(int64_t rows, int64_t columns, unsigned seed) {
  Program program("devices");
  auto building = program.asDefault();
  Tensor a = placeholder(f32, {rows, columns}, "a");
  Tensor b = placeholder(f32, {rows, columns}, "b");
  auto onDevice = [&](const char *device) {
    DeviceScope scope(device);
    return a + b;
  };
  Tensor onNone = a + b;
  Tensor onCpu = onDevice("/cpu:0");
  Tensor onOther = onDevice("/cpu:1");
  Tensor onGpu = onDevice("/gpu:0");
  std::vector<Tensor> as = split(a, 2, 0);
  std::vector<Tensor> bs = split(b, 2, 0);
  std::vector<Operand> sums;
  for (int64_t i = 0; i < 2; ++i) {
    DeviceScope scope(program, DeviceSpec{"cpu", i});
    sums.push_back(as[size_t(i)] + bs[size_t(i)]);
  }
  Tensor divided = concat(sums, 0);
  Tensor parallel =
      makeParallel([](Tensor x, Tensor y) { return x + y; }, 2, {a, b});

  Tensor onGpus = makeParallel([](Tensor x, Tensor y) { return x + y; }, 2,
                               {a, b}, {.deviceType = "gpu"});

  Array x = randomArray(rows, columns, seed);
  Array y = randomArray(rows, columns, 9);
  std::vector<float> expected;
  for (size_t i = 0; i < x.size(); ++i)
    expected.push_back(float(x.at(i)) + float(y.at(i)));
  Array sum(expected, {rows, columns});
  const std::vector<Feed> feeds = {{a, x}, {b, y}};

  Session session(program, {.devices = 2});
  expectSame("on no device", session.run(onNone, feeds), sum);
  expectSame("on cpu:0", session.run(onCpu, feeds), sum);
  check(session.devices()[1].runs == 0, "cpu:1 to have run nothing");
  expectSame("on cpu:1", session.run(onOther, feeds), sum);
  check(session.devices()[1].runs == 1, "cpu:1 to have run once");
  expectSame("split over two", session.run(divided, feeds), sum);
  expectSame("by makeParallel", session.run(parallel, feeds), sum);
  for (const DeviceInfo &device : session.devices())
    std::printf("%s: %u workers, %llu runs\n", device.name.c_str(),
                device.workers, (unsigned long long)device.runs);
  check(session.devices()[1].runs == 3, "cpu:1 to have run three times");

  expectError("found 'gpu:0'", [&] { session.run(onGpu, feeds); });
  Session one(program), soft(program, {.softPlacement = true});
  expectError("expected a device of the session (cpu:0), found 'cpu:1'",
              [&] { one.run(parallel, feeds); });
  expectSame("on a missing GPU with soft placement", soft.run(onGpu, feeds),
             sum);
  expectSame("by towers on one device", soft.run(parallel, feeds), sum);

  uint32_t gpus = std::min(gpuCount(), 2u);
  if (gpus == 0)
    return;
  Session devices(program, {.gpus = gpus, .softPlacement = true});
  expectSame("on gpu:0", devices.run(onGpu, feeds), sum);
  expectSame("on cpu:0 beside a GPU", devices.run(onCpu, feeds), sum);
  expectSame("by towers on GPUs", devices.run(onGpus, feeds), sum);
  check(devices.devices()[0].runs >= 2, "gpu:0 to have run twice");
}

int main() {
  run(1000, 100, 1);
  run(14, 3, 2);
}
