//===- OpCompletenessTest.cpp - every op is complete ----------------------===//
//
// Walks all registered ops. Fails for an op without documentation, without a
// gradient or its marker, without an evaluation, a lowering, or a row in the
// numeric table.
//
//===----------------------------------------------------------------------===//
#include "compiler/codegen/Backend.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/kernel/RandomElements.h"
#include "dialects/tg/Tg.h"
#include "test/numeric/OpTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tg;

namespace {

class OpCompletenessTest : public testing::Test {
protected:
  OpCompletenessTest() {
    // Code generation attaches external models to the ops.
    DialectRegistry registry;
    registry.insert<TgDialect, tgx::TgxDialect>();
    registerRandomElements(registry);
    for (const Backend *backend : getBackends())
      backend->registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<TgDialect, tgx::TgxDialect>();
    for (RegisteredOperationName op :
         context.getRegisteredOperationsByDialect("tg"))
      ops.push_back(op);
  }

  /// Fails if too few ops are registered, since a walk over no ops would pass.
  void SetUp() override { ASSERT_GE(ops.size(), 60u); }

  RegisteredOperationName find(StringRef name) {
    return *RegisteredOperationName::lookup(name, &context);
  }

  /// Returns true for ops that are not functions of tensors: ops that access
  /// variables or the host, ops with regions, and terminators.
  bool hasNoValue(StringRef name) {
    RegisteredOperationName op = find(name);
    return op.hasInterface<SymbolUserOpInterface>() ||
           op.hasInterface<HostOpInterface>() ||
           op.hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() ||
           op.hasTrait<mlir::OpTrait::IsTerminator>();
  }

  /// Returns true for the root ops of kernels, and for views, which no kernel
  /// computes.
  bool hasOwnEmitter(StringRef name) {
    RegisteredOperationName op = find(name);
    return op.hasInterface<CustomKernelOpInterface>() ||
           op.hasInterface<ContractionOpInterface>() ||
           (op.hasInterface<ViewOpInterface>() &&
            !op.hasInterface<ElementOpInterface>());
  }

  MLIRContext context;
  std::vector<RegisteredOperationName> ops;
};

} // namespace

/// Returns the section of an op in the generated documentation.
static StringRef chapterOf(StringRef document, StringRef op) {
  size_t begin = document.find(("### `" + op + "` ").str());
  if (begin == StringRef::npos)
    return {};
  StringRef chapter = document.substr(begin);
  return chapter.take_front(chapter.find("\n### ", /*From=*/1));
}

TEST_F(OpCompletenessTest, SummaryAndExample) {
  auto file = llvm::MemoryBuffer::getFile(TG_OPS_DOC);
  ASSERT_TRUE(bool(file)) << TG_OPS_DOC;
  for (RegisteredOperationName op : ops) {
    StringRef name = op.getStringRef();
    StringRef chapter = chapterOf((*file)->getBuffer(), name);
    EXPECT_FALSE(chapter.empty()) << name.str() << " has no chapter";
    // The summary follows the heading in underscores.
    EXPECT_TRUE(chapter.split("\n\n").second.starts_with("_"))
        << name.str() << " has no summary";
    StringRef example = chapter.split("```mlir").second.split("```").first;
    EXPECT_TRUE(example.contains(name)) << name.str() << " has no example";
    StringRef gradient = chapter.split("* Gradient").second;
    bool absent = chapter.contains("* Not differentiable");
    EXPECT_NE(gradient.empty(), !absent)
        << name.str() << " does not say what its gradient is";
  }
}

TEST_F(OpCompletenessTest, GradientOrMarker) {
  for (RegisteredOperationName op : ops)
    EXPECT_NE(op.hasInterface<DifferentiableOpInterface>() ||
                  op.hasInterface<DifferentiableRegionOpInterface>(),
              op.hasTrait<tg::OpTrait::NonDifferentiable>())
        << op.getStringRef().str()
        << " needs DifferentiableOpInterface or NonDifferentiable";
}

TEST_F(OpCompletenessTest, Value) {
  for (RegisteredOperationName op : ops) {
    bool value = op.hasInterface<EvaluableOpInterface>() &&
                 op.hasInterface<ExtentsOpInterface>() &&
                 op.hasInterface<InferTypeOpInterface>() &&
                 op.hasInterface<CostOpInterface>();
    EXPECT_NE(value, hasNoValue(op.getStringRef()))
        << op.getStringRef().str()
        << " needs evaluate, inferResults and countFlops";
  }
}

TEST_F(OpCompletenessTest, Lowering) {
  for (RegisteredOperationName op : ops) {
    StringRef name = op.getStringRef();
    // Contractions are decomposed only to widen narrow operands.
    bool composed = op.hasInterface<DecomposableOpInterface>() &&
                    !op.hasInterface<ContractionOpInterface>();
    bool lowering = op.hasInterface<ElementOpInterface>() ||
                    op.hasInterface<ReductionOpInterface>() || composed;
    // Ops with data-dependent sizes are lowered to other ops.
    lowering |= op.hasInterface<DataDependentSizeOpInterface>();
    if (!hasNoValue(name))
      EXPECT_NE(lowering, hasOwnEmitter(name))
          << name.str() << " needs one lowering";
    if (op.hasInterface<ElementwiseOpInterface>())
      EXPECT_TRUE(op.hasInterface<ElementOpInterface>()) << name.str();
  }
}

TEST_F(OpCompletenessTest, RowInTheNumericTable) {
  llvm::StringSet<> used, differentiated;
  for (const test::OpRow &row : test::getOpTable()) {
    std::string all = row.variables + row.body;
    for (StringRef rest = all; rest.contains("tg.");) {
      rest = rest.split("tg.").second;
      StringRef op =
          rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      used.insert(op);
      if (row.gradient)
        differentiated.insert(op);
    }
  }
  for (RegisteredOperationName op : ops) {
    StringRef name = op.stripDialect();
    EXPECT_TRUE(used.contains(name)) << name.str() << " has no row";
    if (op.hasInterface<DifferentiableOpInterface>() && name != "stop_gradient")
      EXPECT_TRUE(differentiated.contains(name))
          << name.str() << " has no row that tests its gradient";
  }
}

TEST_F(OpCompletenessTest, NamesOfRowsAreUnique) {
  llvm::StringSet<> names;
  for (const test::OpRow &row : test::getOpTable())
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands twice";
}
