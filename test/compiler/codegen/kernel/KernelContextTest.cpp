//===- KernelContextTest.cpp - elements of kernels without a back end -----===//
//
// Links what all back ends share and none of them.
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

/// The least of a back end: one function with the memory of all arguments and
/// outputs, for kernels of static extents.
class PlainContext : public KernelContext {
public:
  PlainContext(tgx::KernelOp kernel, func::FuncOp function)
      : KernelContext(kernel, TargetDescription(),
                      OpBuilder::atBlockBegin(&function.front())),
        function(function) {}

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
  Value errorCell() override { return function.getArguments().back(); }
  Operation *outermostLoop() override { return nullptr; }

private:
  func::FuncOp function;
};

class KernelContextTest : public testing::Test {
protected:
  /// Emits `lanes` elements of the first output of a kernel from `index` 0 on.
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
    PlainContext plain(kernel, function);
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

/// Ten rounds of two products each.
TEST_F(KernelContextTest, DrawsAreElements) {
  emit(R"(tgx.kernel @k loop(%seed: tensor<i64>) {
    %0 = tg.random_uniform %seed, %seed {shape = [8], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<8xf32>
    tgx.yield %0 : tensor<8xf32>
  })",
       /*lanes=*/1);
  EXPECT_EQ(count<arith::MulUIExtendedOp>(), 20u);
}
