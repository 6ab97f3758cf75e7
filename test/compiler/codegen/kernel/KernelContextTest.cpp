//===- KernelContextTest.cpp - elements of kernels without a back end -----===//
//
// Links only the code that all back ends share, without any back end.
//
//===----------------------------------------------------------------------===//
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/RandomElements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tg;

namespace {

/// The cell of a report, and what it has besides the element.
using Report = std::tuple<unsigned, bool, bool>;

/// A minimal back end: one function with the memory of all arguments and
/// outputs, for kernels with static extents.
class PlainContext : public KernelContext {
public:
  PlainContext(tgx::KernelOp kernel, func::FuncOp function,
               std::vector<Report> &reports)
      : KernelContext(kernel, TargetDescription(),
                      OpBuilder::atBlockBegin(&function.front())),
        function(function), reports(reports) {}

  using KernelContext::analyze;
  Value extent(AffineExpr expression) override {
    OpBuilder entry = OpBuilder::atBlockBegin(&function.front());
    return IntegerOps(entry, loc).constant(*staticExtent(expression));
  }
  Elements argument(BlockArgument tensor) override {
    return {function.getArgument(tensor.getArgNumber()),
            getElementTypeOrSelf(tensor)};
  }
  Elements output(unsigned number) override {
    unsigned inputs = kernel.getBlock().getNumArguments();
    return {function.getArgument(inputs + number),
            getElementTypeOrSelf(kernel.getOutputs()[number])};
  }
  void report(Value fails, tgx::ElementCheckOpInterface check,
              function_ref<FailingElement()> describe) override {
    auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    FailingElement failing = describe();
    reports.push_back({kernel.firstCellOf(check), bool(failing.predicate),
                       bool(failing.value)});
  }
  Operation *outermostLoop() override { return nullptr; }

private:
  func::FuncOp function;
  std::vector<Report> &reports;
};

class KernelContextTest : public testing::Test {
protected:
  /// Emits `lanes` elements of the first output of a kernel, beginning at index
  /// 0.
  void emit(StringRef text, unsigned lanes) {
    DialectRegistry registry;
    registry.insert<TgDialect, tgx::TgxDialect, func::FuncDialect,
                    LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect,
                    vector::VectorDialect>();
    registerRandomElements(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    tgx::KernelOp kernel = *module->getOps<tgx::KernelOp>().begin();
    OpBuilder builder(kernel);
    SmallVector<Type> pointers(kernel.getBlock().getNumArguments() +
                                   kernel.getOutputs().size() + 1,
                               LLVM::LLVMPointerType::get(&context));
    function =
        func::FuncOp::create(builder, kernel.getLoc(), "plain",
                             builder.getFunctionType(pointers, TypeRange()));
    function.addEntryBlock();
    builder.setInsertionPointToEnd(&function.front());
    Operation *end = func::ReturnOp::create(builder, kernel.getLoc());
    PlainContext plain(kernel, function, reports);
    ASSERT_TRUE(succeeded(plain.analyze()));
    plain.builder.setInsertionPoint(end);
    ElementEmitter elements(plain);
    Position position{{plain.integers().constant(0)}, {lanes > 1 ? 1 : 0}};
    FailureOr<Value> value =
        elements.element(kernel.getOutputs()[0], position, lanes);
    ASSERT_TRUE(succeeded(value));
    storeElements(plain.builder, plain.loc, plain.output(0),
                  elements.offsetOf(kernel.getOutputs()[0], position), *value,
                  {lanes, {}});
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
  }
  template <typename Op> unsigned count() {
    unsigned found = 0;
    function.walk([&](Op) { ++found; });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::vector<Report> reports;
};

} // namespace

TEST_F(KernelContextTest, EmitsVectorsOfElements) {
  emit(R"(tgx.kernel @k loop(%x: tensor<8xf32>, %y: tensor<8xf32>) {
    %0 = tg.mul %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = tg.add %0, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    tgx.yield %1 : tensor<8xf32>
  })",
       /*lanes=*/4);
  // %x is loaded once for both of its uses.
  EXPECT_EQ(count<LLVM::LoadOp>(), 2u);
  EXPECT_EQ(count<LLVM::StoreOp>(), 1u);
  EXPECT_EQ(count<arith::MulFOp>(), 1u);
}

/// Checks report to the context; a check of floats has two predicates.
TEST_F(KernelContextTest, ChecksReportToTheContext) {
  for (unsigned lanes : {1u, 4u}) {
    reports.clear();
    emit(R"(tgx.kernel @k loop(%x: tensor<8xf32>) {
      %0 = tgx.check_finite %x {op_name = "tg.exp"} : tensor<8xf32>
      %1 = tg.cast %0 {element_type = i32} : (tensor<8xf32>) -> tensor<8xi32>
      %2 = tgx.check_divisor %1 {op_name = "tg.div"} : tensor<8xi32>
      %3 = tgx.check_index %2 below [] -> (5) {op_name = "tg.gather"} : tensor<8xi32>
      tgx.yield %3 : tensor<8xi32>
    })",
         lanes);
    EXPECT_EQ(reports,
              (std::vector<Report>{
                  {0, true, false}, {2, false, false}, {3, false, true}}));
  }
}

/// Philox has ten rounds with two products each.
TEST_F(KernelContextTest, DrawsAreElements) {
  emit(R"(tgx.kernel @k loop(%seed: tensor<i64>) {
    %0 = tg.random_uniform %seed, %seed {shape = [8], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<8xf32>
    tgx.yield %0 : tensor<8xf32>
  })",
       /*lanes=*/1);
  EXPECT_EQ(count<arith::MulUIExtendedOp>(), 20u);
}

namespace {
/// A function with two i64 arguments.
class IntegerOpsTest : public testing::Test {
protected:
  IntegerOpsTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type i64 = builder.getI64Type();
    auto function = func::FuncOp::create(
        builder, loc, "f", builder.getFunctionType({i64, i64}, {}));
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    x = block->getArgument(0);
    y = block->getArgument(1);
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  Value x, y;
};
} // namespace

/// Adjacent elements share all operations except the addition of a constant,
/// which folds into the address.
TEST_F(IntegerOpsTest, ConstantsStandAtTheEnd) {
  IntegerOps ops(builder, loc);
  auto expectSum = [](Value value, Value variable, int64_t constant) {
    auto sum = value.getDefiningOp<arith::AddIOp>();
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum.getLhs(), variable);
    EXPECT_EQ(constantNumber(sum.getRhs()), constant);
  };
  Value next = ops.add(ops.constant(3), x);
  expectSum(next, x, 3);
  expectSum(ops.add(next, ops.constant(4)), x, 7);
  expectSum(ops.add(ops.constant(INT64_MAX), next), x, INT64_MIN + 2);
  EXPECT_EQ(ops.add(next, ops.constant(-3)), x);
  // (x + 3) * 5 + y = (x * 5 + y) + 15
  Value product = ops.mul(ops.constant(5), next);
  auto variable = product.getDefiningOp<arith::AddIOp>()
                      .getLhs()
                      .getDefiningOp<arith::MulIOp>();
  ASSERT_TRUE(variable);
  EXPECT_EQ(variable.getLhs(), x);
  expectSum(product, variable, 15);
  Value sum = ops.add(y, product);
  ASSERT_TRUE(sum.getDefiningOp<arith::AddIOp>());
  expectSum(sum, sum.getDefiningOp<arith::AddIOp>().getLhs(), 15);
}

/// Narrow operations take and return i64, and convert nothing between them.
TEST_F(IntegerOpsTest, NarrowOperationsHave32Bits) {
  IntegerOps ops(builder, loc, IndexWidth::narrow);
  auto narrowOf = [](Value value) {
    auto extension = value.getDefiningOp<arith::ExtSIOp>();
    return extension ? extension.getIn() : Value();
  };
  Value quotient = ops.div(x, y);
  EXPECT_EQ(quotient.getType(), builder.getI64Type());
  ASSERT_TRUE(narrowOf(quotient));
  Value sum = narrowOf(ops.add(quotient, ops.constant(3)));
  ASSERT_TRUE(sum && sum.getDefiningOp<arith::AddIOp>());
  EXPECT_EQ(sum.getDefiningOp<arith::AddIOp>().getLhs(), narrowOf(quotient));
  EXPECT_EQ(constantNumber(sum.getDefiningOp<arith::AddIOp>().getRhs()), 3);
  Value isLess = ops.compare(arith::CmpIPredicate::slt, quotient, x);
  EXPECT_EQ(isLess.getDefiningOp<arith::CmpIOp>().getLhs(), narrowOf(quotient));
  EXPECT_EQ(constantNumber(ops.mul(ops.constant(6), ops.constant(7))), 42);
  // The parts of a sum may need 64 bits although the sum does not.
  IntegerOps wide(builder, loc);
  Value index = wide.add(x, wide.constant(-1'000'000'000));
  Value product = narrowOf(ops.mul(index, ops.constant(4)));
  EXPECT_TRUE(product && product.getDefiningOp<arith::MulIOp>());
}
