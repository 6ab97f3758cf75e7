//===- ContractionKernelsTest.cpp - kernels of every contraction ----------===//
//
// Tests that fusion and emission use the same list of algorithms. Every kernel
// that fusion builds around a contraction, with any ops before and after it,
// must be emitted for each ISA level, each -O level and each choice of the
// convolution algorithm.
//
//===----------------------------------------------------------------------===//
#include "compiler/codegen/cpu/CpuTargetModel.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/target/PlanTarget.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;

namespace {

/// A contraction: an op with its attributes, and the shapes of its types
/// without the element type.
struct Product {
  std::string op, attributes, lhs, rhs, result;
  std::string type = "f32";
};

/// The ops before and after a contraction. `$L` and `$R` stand for the operand
/// types of the contraction, `$1` for the number one.
struct Attachment {
  /// The operands of the contraction: arguments, or values that `before`
  /// defines.
  std::string lhs, rhs, before;
  bool returnsResult;
  /// The axes of the reduction after `op`: "rows" for all axes but the last,
  /// "first" or "all"; "" for no reduction.
  std::string op, axes;
};

} // namespace

static std::string tensor(StringRef shape, StringRef type) {
  return llvm::formatv("tensor<{0}x{1}>", shape, type).str();
}

static std::vector<Product> listProducts() {
  std::vector<Product> products = {
      {"matmul", "", "32x20", "20x16", "32x16"},
      {"matmul", "", "32x20", "20x16", "32x16", "f64"},
      {"matmul", "", "32x20", "20x16", "32x16", "i32"},
      {"matmul", "transpose_lhs", "20x32", "20x16", "32x16"},
      {"matmul", "transpose_rhs", "32x20", "16x20", "32x16"},
      {"matmul", "", "?x20", "20x1", "?x1"},
      {"matmul", "", "3x32x20", "20x16", "3x32x16"},
      {"matmul", "", "3x32x20", "3x20x16", "3x32x16"},
      {"matmul", "", "3x1x32x20", "5x20x16", "3x5x32x16"},
      {"matmul", "transpose_lhs", "4096x8", "4096x64", "8x64"},
      {"matmul", "transpose_lhs", "4096x64", "4096x16", "64x16", "f64"},
      {"conv", "", "2x9x9x4", "1x1x4x16", "2x9x9x16"},
      {"conv", "", "2x9x9x4", "3x3x4x16", "2x7x7x16"},
      {"conv", "", "2x9x9x4", "3x3x4x16", "2x7x7x16", "f64"},
      {"conv", "", "?x9x9x32", "3x3x32x40", "?x7x7x40"},
      {"conv", "", "2x9x9x0", "3x3x0x16", "2x7x7x16"},
      {"conv", "strides = [2, 2]", "2x9x9x4", "3x3x4x16", "2x4x4x16"},
      {"conv", "dilations = [2, 2]", "2x9x9x4", "3x3x4x16", "2x5x5x16"},
      {"conv", "", "2x9x40x3", "3x3x3x1", "2x7x38x1"},
      {"conv", "", "2x9x40x32", "3x3x32x3", "2x7x38x3"},
      {"conv", "", "2x5x6x7x4", "2x2x2x4x8", "2x4x5x6x8"},
      {"conv", "groups = 8 : i64", "2x9x9x8", "3x3x1x8", "2x7x7x8"},
      {"conv", "groups = 2 : i64", "2x9x9x8", "3x3x4x8", "2x7x7x8"},
      {"conv", "groups = 2 : i64", "2x9x9x0", "3x3x0x8", "2x7x7x8"},
      {"conv", "groups = 2 : i64", "2x9x9x8", "3x3x4x0", "2x7x7x0"},
      {"conv_transpose", "output_sizes = [9, 9]", "2x7x7x40", "3x3x32x40",
       "2x9x9x32"},
      {"conv_transpose", "output_sizes = [9, 41]", "2x7x39x40", "3x3x1x40",
       "2x9x41x1"},
      {"conv_transpose", "groups = 8 : i64, output_sizes = [9, 9]", "2x7x7x8",
       "3x3x1x8", "2x9x9x8"},
      {"conv_filter_grad", "filter_sizes = [3, 3]", "2x9x9x32", "2x7x7x40",
       "3x3x32x40"},
      {"conv_filter_grad", "filter_sizes = [3, 3]", "2x9x9x32", "2x7x7x1",
       "3x3x32x1"},
      {"conv_filter_grad", "filter_sizes = [1, 1]", "8x32x32x8", "8x32x32x64",
       "1x1x8x64"},
      {"conv_filter_grad", "filter_sizes = [3, 3], groups = 8 : i64", "2x9x9x8",
       "2x7x7x8", "3x3x1x8"},
  };
  // Filter lines with the maximum number of taps that emitters unroll, and with
  // one more.
  for (int taps : {64, 65, 128, 129})
    for (int channels : {1, 4}) {
      std::string groups =
          "groups = " + std::to_string(8 / channels) + " : i64";
      std::string filter =
          std::to_string(taps) + "x" + std::to_string(channels) + "x8";
      std::string result = "2x" + std::to_string(301 - taps) + "x8";
      products.push_back({"conv", groups, "2x300x8", filter, result});
      products.push_back(
          {"conv_transpose",
           groups + ", output_sizes = [" + std::to_string(300) + "]", result,
           filter, "2x300x8"});
      products.push_back(
          {"conv_filter_grad",
           groups + ", filter_sizes = [" + std::to_string(taps) + "]",
           "2x300x8", result, filter});
    }
  return products;
}

static std::vector<Attachment> listAttachments() {
  const std::string activated = "%h = tg.relu %x : $L\n",
                    filter = "%v = tg.relu %w : $R\n",
                    splat = "%h = tg.constant dense<$1> : $L\n",
                    ones = "%v = tg.constant dense<$1> : $R\n";
  return {
      {"%x", "%w", "", true, "", ""},
      {"%x", "%w", "", true, "relu", ""},
      {"%x", "%w", "", false, "relu", "rows"},
      {"%x", "%w", "", true, "relu", "rows"},
      {"%x", "%w", "", true, "neg", "first"},
      {"%x", "%w", "", false, "relu", "all"},
      {"%h", "%w", activated, true, "", ""},
      {"%h", "%w", activated, true, "relu", "rows"},
      {"%x", "%v", filter, true, "relu", "rows"},
      {"%h", "%w", splat, true, "relu", "rows"},
      {"%x", "%v", ones, true, "relu", "rows"},
  };
}

static std::string replaceAll(std::string text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.str());
  return text;
}

/// Returns the attributes of a reduction and the shape of its result, with a
/// trailing "x" after each extent.
static std::pair<std::string, std::string> reduce(StringRef shape,
                                                  StringRef axes) {
  SmallVector<StringRef> extents;
  shape.split(extents, 'x');
  size_t count = axes == "first"  ? 1
                 : axes == "rows" ? extents.size() - 1
                                  : extents.size();
  std::string list = llvm::join(
      llvm::map_range(llvm::seq(count),
                      [](size_t axis) { return std::to_string(axis); }),
      ", ");
  std::string left;
  for (StringRef extent : ArrayRef(extents).drop_front(count))
    left += extent.str() + "x";
  return {"{axes = [" + list + "]}", left};
}

/// Returns a module with one function: the contraction and the ops around it.
static std::string writeModule(const Product &product,
                               const Attachment &attachment) {
  std::string lhs = tensor(product.lhs, product.type);
  std::string rhs = tensor(product.rhs, product.type);
  std::string result = tensor(product.result, product.type);
  std::string body = replaceAll(attachment.before, "$L", lhs);
  body = replaceAll(replaceAll(body, "$R", rhs), "$1",
                    product.type == "i32" ? "1" : "1.0");
  body += llvm::formatv("%y = tg.{0} {1}, {2} {{{3}} : ({4}, {5}) -> {6}\n",
                        product.op, attachment.lhs, attachment.rhs,
                        product.attributes, lhs, rhs, result)
              .str();
  SmallVector<std::pair<std::string, std::string>> outputs;
  std::string last = "%y";
  if (!attachment.op.empty()) {
    body +=
        llvm::formatv("%a = tg.{0} %y : {1}\n", attachment.op, result).str();
    last = "%a";
  }
  if (attachment.returnsResult)
    outputs.push_back({last, result});
  if (!attachment.axes.empty()) {
    auto [attributes, left] = reduce(product.result, attachment.axes);
    std::string reduced = "tensor<" + left + product.type + ">";
    body += llvm::formatv("%s = tg.reduce_sum {0} {1} : ({2}) -> {3}\n", last,
                          attributes, result, reduced)
                .str();
    outputs.push_back({"%s", reduced});
  }
  std::string values, types, results;
  for (auto [number, output] : llvm::enumerate(outputs)) {
    StringRef comma = number ? ", " : "";
    values += comma.str() + output.first;
    types += comma.str() + output.second;
    results += llvm::formatv("{0}{1} {{tg.name = \"o{2}\"}", comma,
                             output.second, number)
                   .str();
  }
  return llvm::formatv("func.func @f(%x: {0} {{tg.name = \"x\"}, %w: {1} "
                       "{{tg.name = \"w\"}) -> ({2}) {{\n{3}return {4} : "
                       "{5}\n}\n",
                       lhs, rhs, results, body, values, types)
      .str();
}

namespace {
/// Compiles modules to kernels and collects their diagnostics.
class KernelCompiler {
public:
  KernelCompiler()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// Compiles a module and returns its diagnostics; empty on success.
  std::string compile(StringRef text, const CompileOptions &options) {
    std::string collected;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      collected += diagnostic.str() + "\n";
      return success();
    });
    auto module = parseSourceString<ModuleOp>(text, &context);
    CompileResult result;
    if (!module || failed(compileModule(*module, options, result)))
      return collected.empty() ? "failed without a message" : collected;
    return "";
  }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerModelDialects(registry);
    return registry;
  }

  MLIRContext context;
};
} // namespace

/// Returns the options of all compilations that may choose different
/// algorithms.
static std::vector<CompileOptions> listOptions() {
  std::vector<CompileOptions> all;
  auto add = [&](int level, int optimization, const char *algorithm) {
    CompileOptions &options = all.emplace_back();
    options.stopAfter = Phase::kernels;
    options.levels = {level};
    options.optimization = optimization;
    options.convAlgorithm = algorithm;
  };
  for (int optimization : {0, 1})
    add(/*level=*/2, optimization, "auto");
  for (int level : {2, 3, 4})
    add(level, /*optimization=*/2, "auto");
  for (const char *algorithm : {"direct", "winograd"})
    add(/*level=*/4, /*optimization=*/2, algorithm);
  return all;
}

TEST(ContractionKernels, ThatFusionBuildsAreEmitted) {
  KernelCompiler compiler;
  const std::vector<CompileOptions> all = listOptions();
  for (const Product &product : listProducts())
    for (const Attachment &attachment : listAttachments()) {
      // Constants have static shapes.
      bool isConstant = StringRef(attachment.before).contains("constant");
      if (isConstant && StringRef(product.lhs).contains('?'))
        continue;
      std::string text = writeModule(product, attachment);
      for (const CompileOptions &options : all)
        ASSERT_EQ(compiler.compile(text, options), "")
            << "at level " << options.levels.front() << ", -O"
            << options.optimization << ", " << options.convAlgorithm << ":\n"
            << text;
    }
}

/// Fusion and emission read the same list. A request that is valid for all
/// targets is valid for each target, and an algorithm reports why it cannot
/// compute a request.
TEST(ContractionKernels, AlgorithmsTellUnmetRequirements) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto targetAt = [&](unsigned optimization) {
    return tgx::TargetAttr::get(&context, "cpu", optimization, {});
  };
  auto module = parseSourceString<ModuleOp>(
      writeModule({"matmul", "", "32x20", "20x16", "32x16"},
                  listAttachments().front()),
      &context);
  ASSERT_TRUE(module);
  ContractionOpInterface product;
  module->walk([&](ContractionOpInterface op) { product = op; });
  Block &block = *product->getBlock();
  ExtentAnalysis extents(&context);
  for (BlockArgument argument : block.getArguments()) {
    SmallVector<AffineExpr> sizes;
    for (int64_t size : cast<RankedTensorType>(argument.getType()).getShape())
      sizes.push_back(getAffineConstantExpr(size, &context));
    extents.setExtents(argument, sizes);
  }
  ASSERT_TRUE(succeeded(extents.run(block, 0)));
  Contraction contraction = product.getContraction(extents);
  ContractionRequest request{contraction};
  request.rowOrder = chooseReductionOrder(&context, {0}, /*rank=*/2);
  EXPECT_TRUE(PlanTarget(targetAt(2)).canCompute(request));
  EXPECT_FALSE(PlanTarget(targetAt(1)).canCompute(request));
  request.readsRhs = false;
  EXPECT_FALSE(PlanTarget(targetAt(2)).canCompute(request));
  request.rowOrder = {};
  EXPECT_TRUE(PlanTarget(targetAt(0)).canCompute(request));
  const TargetModel &model = getCpuTargetModel();
  for (const ContractionAlgorithm *algorithm : model.getContractions())
    for (const TargetDescription &target : model.describeTargets(targetAt(2))) {
      StringRef requirement = algorithm->findUnmetRequirement(request, target);
      EXPECT_EQ(requirement.empty(),
                algorithm == model.getContractions().back());
    }
}
