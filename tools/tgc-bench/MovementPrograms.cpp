//===- MovementPrograms.cpp - one op that moves or selects elements -------===//
#include "Workloads.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tg::bench;

/// Returns the type with these extents, each followed by an x: tensor<AxBxf32>
static std::string tensor(const std::string &extents) {
  return "tensor<" + extents + "f32>";
}

/// Returns a function of an input and, if its type is given, an update; `body`
/// computes %y.
static std::string program(const Row &row, const std::string &input,
                           const std::string &body, const std::string &result,
                           const std::string &update = "") {
  std::string second =
      update.empty() ? "" : ", %u: " + update + " {tg.name = \"u\"}";
  return llvm::formatv(R"(module @{0} {{
  func.func @test(%x: {1} {{tg.name = "x"}{4}) -> ({2} {{tg.name = "y"})
      attributes {{tg.role = "test"} {{
{3}    return %y : {2}
  }
}
)",
                       row.workload->name, input, result, body, second);
}

static std::string padProgram(const Row &row, int64_t rows) {
  int64_t columns = row.workload->sizes[1];
  std::string input = tensor(llvm::formatv("{0}x{1}x", rows, columns));
  std::string result = tensor(llvm::formatv("{0}x{1}x", rows, columns + 3));
  std::string body = llvm::formatv(R"(
    %zero = tg.constant dense<0.0> : tensor<f32>
    %y = tg.pad %x, %zero {{high = [0, 2], low = [0, 1]}
        : ({0}, tensor<f32>) -> {1}
)",
                                   input, result);
  return program(row, input, body, result);
}

/// Returns a program whose updated columns are not aligned to a vector.
static std::string updateProgram(const Row &row, int64_t rows) {
  int64_t columns = row.workload->sizes[1];
  std::string input = tensor(llvm::formatv("{0}x{1}x", rows, columns));
  std::string update = tensor(llvm::formatv("{0}x{1}x", rows, columns / 2));
  std::string body = llvm::formatv(R"(
    %y = tg.update_slice %x, %u {{starts = [0, 1001]} : ({0}, {1}) -> {0}
)",
                                   input, update);
  return program(row, input, body, input, update);
}

static std::string transposeProgram(const Row &row, int64_t rows) {
  const std::vector<int64_t> &sizes = row.workload->sizes;
  std::string input =
      tensor(llvm::formatv("{0}x{1}x{2}x", rows, sizes[1], sizes[2]));
  std::string result =
      tensor(llvm::formatv("{0}x{1}x{2}x", rows, sizes[2], sizes[1]));
  std::string body = llvm::formatv(R"(
    %y = tg.transpose %x {{permutation = [0, 2, 1]} : ({0}) -> {1}
)",
                                   input, result);
  return program(row, input, body, result);
}

static std::string cumsumProgram(const Row &row, int64_t rows, int64_t axis) {
  std::string input =
      tensor(llvm::formatv("{0}x{1}x", rows, row.workload->sizes[1]));
  std::string body =
      llvm::formatv("    %y = tg.cumsum %x {{axis = {0}} : {1}\n", axis, input);
  return program(row, input, body, input);
}

/// Returns a program with the k of a typical beam search.
static std::string topKProgram(const Row &row, int64_t rows) {
  constexpr int64_t k = 8;
  std::string input =
      tensor(llvm::formatv("{0}x{1}x", rows, row.workload->sizes[1]));
  std::string extents = llvm::formatv("{0}x{1}x", rows, k);
  std::string body = llvm::formatv(R"(
    %y, %i = tg.top_k %x {{k = {1}} : ({0}) -> ({2}, tensor<{3}i64>)
)",
                                   input, k, tensor(extents), extents);
  return program(row, input, body, tensor(extents));
}

/// Returns a program that finds the indices of elements above 0, half of all,
/// or gathers these elements.
static std::string pickProgram(const Row &row, int64_t rows, bool isGathered) {
  std::string extent = llvm::formatv("{0}x", rows);
  std::string input = tensor(extent);
  std::string indices = llvm::formatv(R"(
    %zero = tg.constant dense<0.0> : tensor<f32>
    %p = tg.compare gt, %x, %zero : ({0}, tensor<f32>) -> tensor<{1}i1>
    %i = tg.nonzero %p : (tensor<{1}i1>) -> tensor<?x1xi64>
    %{2} = tg.reshape %i {{shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
)",
                                      input, extent, isGathered ? "j" : "y");
  if (!isGathered)
    return program(row, input, indices, "tensor<?xi64>");
  std::string gathered = llvm::formatv(
      "    %y = tg.gather %x, %j : ({0}, tensor<?xi64>) -> tensor<?xf32>\n",
      input);
  return program(row, input, indices + gathered, "tensor<?xf32>");
}

std::string tg::bench::movementProgramOf(const Row &row, int64_t rows) {
  switch (row.workload->kind) {
  case Kind::pad:
    return padProgram(row, rows);
  case Kind::updateSlice:
    return updateProgram(row, rows);
  case Kind::transpose:
    return transposeProgram(row, rows);
  case Kind::rowCumsum:
    return cumsumProgram(row, rows, /*axis=*/1);
  case Kind::columnCumsum:
    return cumsumProgram(row, rows, /*axis=*/0);
  case Kind::topK:
    return topKProgram(row, rows);
  case Kind::nonzero:
    return pickProgram(row, rows, /*isGathered=*/false);
  case Kind::booleanMask:
    return pickProgram(row, rows, /*isGathered=*/true);
  default:
    return "";
  }
}
