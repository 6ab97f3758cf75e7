//===- WindowPrograms.cpp - one op with sliding windows -------------------===//
#include "Workloads.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tg::bench;

static std::string images(int64_t count, int64_t extent, int64_t channels) {
  return llvm::formatv("tensor<{0}x{1}x{1}x{2}xf32>", count, extent, channels);
}

/// Returns a function of two named inputs that consists of one op.
static std::string program(const Row &row, const std::string &op,
                           const std::string &attributes,
                           std::pair<const char *, std::string> lhs,
                           std::pair<const char *, std::string> rhs,
                           const std::string &result) {
  return llvm::formatv(R"(module @{0} {{
  func.func @test(%{1}: {2} {{tg.name = "{1}"},
                  %{3}: {4} {{tg.name = "{3}"})
      -> ({5} {{tg.name = "y"}) attributes {{tg.role = "test"} {{
    %y = tg.{6} %{1}, %{3} {{{7}} : ({2}, {4}) -> {5}
    return %y : {5}
  }
}
)",
                       row.workload->name, lhs.first, lhs.second, rhs.first,
                       rhs.second, result, op, attributes);
}

std::string tg::bench::windowProgramOf(const Row &row, int64_t rows) {
  const std::vector<int64_t> &sizes = row.workload->sizes;
  int64_t extent = sizes[0], channels = sizes[2], filters = sizes[3],
          size = sizes[4], stride = sizes[5], groups = sizes[6];
  std::string input = images(rows, extent, channels);
  std::string output = images(rows, extent / stride, filters);
  std::string filter = llvm::formatv("tensor<{0}x{0}x{1}x{2}xf32>", size,
                                     channels / groups, filters);
  std::string windows = llvm::formatv(
      R"(groups = {0}, padding = "explicit", pads = [{1}, {1}, {1}, {1}], )"
      R"(strides = [{2}, {2}])",
      groups, size / 2, stride);
  auto square = [](const char *name, int64_t of) -> std::string {
    return llvm::formatv("{0} = [{1}, {1}], ", name, of);
  };
  if (row.workload->kind == Kind::inputGradient)
    return program(row, "conv_transpose",
                   square("output_sizes", extent) + windows, {"g", output},
                   {"w", filter}, input);
  return program(row, "conv_filter_grad",
                 square("filter_sizes", size) + windows, {"x", input},
                 {"g", output}, filter);
}
