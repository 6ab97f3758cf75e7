//===- MovementPrograms.cpp - one op that moves elements ------------------===//
#include "Workloads.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tg::bench;

/// A function of one input, [rows] or [rows, columns].
static std::string program(const Row &row, const std::string &input,
                           const std::string &body, const std::string &result) {
  return llvm::formatv(R"(module @{0} {{
  func.func @test(%x: {1} {{tg.name = "x"}) -> ({2} {{tg.name = "y"})
      attributes {{tg.role = "test"} {{
{3}    return %y : {2}
  }
}
)",
                       row.workload->name, input, result, body);
}

/// Where the elements above 0 are, half of all.
static std::string nonzero(const std::string &input) {
  return llvm::formatv(R"(
    %zero = tg.constant dense<0.0> : tensor<f32>
    %p = tg.compare gt, %x, %zero : ({0}, tensor<f32>) -> {1}
    %i = tg.nonzero %p : ({1}) -> tensor<?x1xi64>
)",
                       input, input.substr(0, input.size() - 4) + "i1>");
}

std::string tg::bench::movementProgramOf(const Row &row, int64_t rows) {
  const Workload &workload = *row.workload;
  if (workload.kind == Kind::pad) {
    int64_t columns = workload.sizes[1];
    std::string input = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
    std::string result =
        llvm::formatv("tensor<{0}x{1}xf32>", rows, columns + 3);
    std::string body = llvm::formatv(R"(
    %zero = tg.constant dense<0.0> : tensor<f32>
    %y = tg.pad %x, %zero {{high = [0, 2], low = [0, 1]}
        : ({0}, tensor<f32>) -> {1}
)",
                                     input, result);
    return program(row, input, body, result);
  }
  std::string input = llvm::formatv("tensor<{0}xf32>", rows);
  std::string places = nonzero(input);
  if (workload.kind == Kind::nonzero)
    return program(row, input,
                   places + "    %y = tg.reshape %i {shape = [-1]} : "
                            "(tensor<?x1xi64>) -> tensor<?xi64>\n",
                   "tensor<?xi64>");
  std::string gathered = llvm::formatv(R"(
    %j = tg.reshape %i {{shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
    %y = tg.gather %x, %j : ({0}, tensor<?xi64>) -> tensor<?xf32>
)",
                                       input);
  return program(row, input, places + gathered, "tensor<?xf32>");
}
