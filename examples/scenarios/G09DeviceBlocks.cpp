/// One source with device blocks in both modes: the same result. In graph mode
/// each block's ops are listed with their device, and each device of the
/// session runs its part.
#include "Modes.h"
using namespace tg;

/// Computes x w on one device, and the sum of its squares on another.
static Tensor build(const Program &program, const Tensor &x, const Tensor &w) {
  Tensor product;
  {
    DeviceScope first(program, "/cpu:0");
    product = matmul(x, w);
  }
  DeviceScope second(program, "/cpu:1");
  return reduceSum(product * product);
}

static void run(const std::vector<float> &xs, const std::vector<float> &ws,
                float expected) {
  float eager;
  {
    ExecutionScope scope(true);
    Program program("blocks");
    eager = float(
        build(program, program.tensor(xs, {2, 2}), program.tensor(ws, {2, 1}))
            .item());
    expectRefusal([&] { DeviceScope gpu(program, "/gpu:1"); },
                  "expected a CPU in eager mode");
  }
  ExecutionScope scope(false);
  Program program("blocks");
  Tensor x = program.input("x", f32, {2, 2});
  Tensor w = program.input("w", f32, {2, 1});
  Tensor y = build(program, x, w);
  for (const OperationInfo &op : program.operations())
    std::printf("%s on %s\n", op.name.c_str(),
                op.device.empty() ? "any" : op.device.c_str());
  check(program.operations().back().device == "cpu:1", "the sum on cpu:1");
  Session session(program, {.devices = 2});
  Array graph = session.run(y, {{x, {xs, {2, 2}}}, {w, {ws, {2, 1}}}});
  expect("graph", graph, {expected});
  expectNear({eager}, {expected});
  check(session.devices()[0].runs == 1 && session.devices()[1].runs == 1,
        "one run on each device");
}

int main() {
  run({1, 2, 3, 4}, {1, -1}, 2);
  run({1, 0, 0, 2}, {3, 0.5f}, 10);
}
