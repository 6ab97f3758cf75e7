//===- WindowContractionTest.cpp - convolutions by their maps alone -------===//
//
// Ops of a dialect of this test say what they are through
// ContractionOpInterface and nothing else; their kernels are compared with sums
// over all products of a convolution.
//
//===----------------------------------------------------------------------===//
#include "KernelHarness.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/Dialect.h"
#include <gtest/gtest.h>

using namespace mlir;
using tg::Contraction;
using tg::ContractionIndex;
using tg::ContractionTensor;
using tg::DimensionKind;

namespace tg::test::window {

/// Two spatial dimensions, channels last: input [n, s, s, c], filter
/// [k, k, c/groups, f], output [n, o, o, f].
struct Geometry {
  int64_t n, s, k, o, c, f, stride, dilation, low, groups;

  int64_t inputChannels() const { return c / groups; }
  int64_t outputChannels() const { return f / groups; }
};

/// The names of the numbers, which are attributes of the ops.
static constexpr const char *kNumbers[] = {
    "n", "s", "k", "o", "c", "f", "stride", "dilation", "low", "groups"};

static Geometry geometryOf(Operation *op) {
  auto number = [&](unsigned which) {
    return op->getAttrOfType<IntegerAttr>(kNumbers[which]).getInt();
  };
  return {number(0), number(1), number(2), number(3), number(4),
          number(5), number(6), number(7), number(8), number(9)};
}

/// What the three ops share but for their maps.
template <typename ConcreteOp>
class WindowOp
    : public Op<ConcreteOp, mlir::OpTrait::ZeroRegions,
                mlir::OpTrait::OneResult, mlir::OpTrait::NOperands<2>::Impl,
                mlir::OpTrait::ZeroSuccessors, ExtentsOpInterface::Trait,
                ContractionOpInterface::Trait,
                mlir::MemoryEffectOpInterface::Trait> {
public:
  using Op<ConcreteOp, mlir::OpTrait::ZeroRegions, mlir::OpTrait::OneResult,
           mlir::OpTrait::NOperands<2>::Impl, mlir::OpTrait::ZeroSuccessors,
           ExtentsOpInterface::Trait, ContractionOpInterface::Trait,
           mlir::MemoryEffectOpInterface::Trait>::Op;

  void
  getEffects(SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {}

  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  LogicalResult inferExtents(ShapeInference &inference,
                             SmallVectorImpl<TensorExtents> &results) {
    results.push_back({getElementTypeOrSelf(this->getOperation()->getResult(0)),
                       extentsOf(this->getOperation()->getResult(0))});
    return success();
  }

  Contraction getContraction(const ExtentAnalysis &) {
    Contraction contraction;
    contraction.lhs = {this->getOperand(0), extentsOf(this->getOperand(0)), {}};
    contraction.rhs = {this->getOperand(1), extentsOf(this->getOperand(1)), {}};
    contraction.result = {this->getOperation()->getResult(0),
                          extentsOf(this->getOperation()->getResult(0)),
                          {}};
    contraction.accumulator =
        getElementTypeOrSelf(this->getOperation()->getResult(0));
    static_cast<ConcreteOp *>(this)->writeMaps(
        contraction, geometryOf(this->getOperation()));
    return contraction;
  }

protected:
  SmallVector<AffineExpr> extentsOf(Value value) {
    return llvm::map_to_vector(
        cast<RankedTensorType>(value.getType()).getShape(), [&](int64_t size) {
          return getAffineConstantExpr(size, value.getContext());
        });
  }

  /// Adds a dimension; returns its number.
  unsigned add(Contraction &contraction, DimensionKind kind, int64_t extent) {
    contraction.dimensions.push_back(
        {kind, getAffineConstantExpr(extent, this->getContext())});
    return contraction.dimensions.size() - 1;
  }

  ContractionIndex plain(unsigned dimension) { return {{{dimension}}}; }

  /// Channel `channel` of group `group`.
  ContractionIndex channelOf(const Geometry &g, unsigned group,
                             int64_t channels, unsigned channel) {
    if (g.groups == 1)
      return plain(channel);
    return {{{group, channels}, {channel}}};
  }

  /// position * stride + tap * dilation - low.
  ContractionIndex windowOf(const Geometry &g, unsigned position,
                            unsigned tap) {
    return {{{position, g.stride}, {tap, g.dilation}},
            getAffineConstantExpr(-g.low, this->getContext()),
            /*divisor=*/1,
            /*isPartial=*/true};
  }

  /// Which position has the tap at `input`.
  ContractionIndex positionOf(const Geometry &g, unsigned input, unsigned tap) {
    return {{{input}, {tap, -g.dilation}},
            getAffineConstantExpr(g.low, this->getContext()),
            g.stride,
            /*isPartial=*/true};
  }
};

class ConvOp : public WindowOp<ConvOp> {
public:
  using WindowOp::WindowOp;
  static StringRef getOperationName() { return "window.conv"; }

  void writeMaps(Contraction &contraction, const Geometry &g) {
    unsigned n = add(contraction, DimensionKind::row, g.n);
    unsigned p = add(contraction, DimensionKind::row, g.o);
    unsigned q = add(contraction, DimensionKind::row, g.o);
    unsigned group = add(contraction, DimensionKind::batch, g.groups);
    unsigned j = add(contraction, DimensionKind::column, g.outputChannels());
    unsigned t = add(contraction, DimensionKind::reduced, g.k);
    unsigned u = add(contraction, DimensionKind::reduced, g.k);
    unsigned i = add(contraction, DimensionKind::reduced, g.inputChannels());
    ContractionIndex in = channelOf(g, group, g.inputChannels(), i);
    ContractionIndex out = channelOf(g, group, g.outputChannels(), j);
    contraction.lhs.indices = {plain(n), windowOf(g, p, t), windowOf(g, q, u),
                               in};
    contraction.rhs.indices = {plain(t), plain(u), plain(i), out};
    contraction.result.indices = {plain(n), plain(p), plain(q), out};
  }
};

class ConvTransposeOp : public WindowOp<ConvTransposeOp> {
public:
  using WindowOp::WindowOp;
  static StringRef getOperationName() { return "window.conv_transpose"; }

  void writeMaps(Contraction &contraction, const Geometry &g) {
    unsigned n = add(contraction, DimensionKind::row, g.n);
    unsigned x = add(contraction, DimensionKind::row, g.s);
    unsigned y = add(contraction, DimensionKind::row, g.s);
    unsigned group = add(contraction, DimensionKind::batch, g.groups);
    unsigned i = add(contraction, DimensionKind::column, g.inputChannels());
    unsigned t = add(contraction, DimensionKind::reduced, g.k);
    unsigned u = add(contraction, DimensionKind::reduced, g.k);
    unsigned j = add(contraction, DimensionKind::reduced, g.outputChannels());
    ContractionIndex in = channelOf(g, group, g.inputChannels(), i);
    ContractionIndex out = channelOf(g, group, g.outputChannels(), j);
    contraction.lhs.indices = {plain(n), positionOf(g, x, t),
                               positionOf(g, y, u), out};
    contraction.rhs.indices = {plain(t), plain(u), plain(i), out};
    contraction.result.indices = {plain(n), plain(x), plain(y), in};
  }
};

class ConvFilterGradOp : public WindowOp<ConvFilterGradOp> {
public:
  using WindowOp::WindowOp;
  static StringRef getOperationName() { return "window.conv_filter_grad"; }

  void writeMaps(Contraction &contraction, const Geometry &g) {
    unsigned t = add(contraction, DimensionKind::row, g.k);
    unsigned u = add(contraction, DimensionKind::row, g.k);
    unsigned i = add(contraction, DimensionKind::row, g.inputChannels());
    unsigned group = add(contraction, DimensionKind::batch, g.groups);
    unsigned j = add(contraction, DimensionKind::column, g.outputChannels());
    unsigned n = add(contraction, DimensionKind::reduced, g.n);
    unsigned p = add(contraction, DimensionKind::reduced, g.o);
    unsigned q = add(contraction, DimensionKind::reduced, g.o);
    ContractionIndex in = channelOf(g, group, g.inputChannels(), i);
    ContractionIndex out = channelOf(g, group, g.outputChannels(), j);
    contraction.lhs.indices = {plain(n), windowOf(g, p, t), windowOf(g, q, u),
                               in};
    contraction.rhs.indices = {plain(n), plain(p), plain(q), out};
    contraction.result.indices = {plain(t), plain(u), plain(i), out};
  }
};

class WindowDialect : public Dialect {
public:
  explicit WindowDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<WindowDialect>()) {
    addOperations<ConvOp, ConvTransposeOp, ConvFilterGradOp>();
  }
  static StringRef getDialectNamespace() { return "window"; }
};

} // namespace tg::test::window

using namespace tg::test;
using namespace tg::test::window;

/// Calls `visit` with the elements of input, filter and output of each product
/// of a convolution.
static void
forEachProduct(const Geometry &g,
               llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) {
  auto inputAt = [&](int64_t position, int64_t tap) {
    return position * g.stride + tap * g.dilation - g.low;
  };
  auto isInside = [&](int64_t at) { return at >= 0 && at < g.s; };
  int64_t in = g.inputChannels(), out = g.outputChannels();
  for (int64_t n = 0; n < g.n; ++n)
    for (int64_t p = 0; p < g.o; ++p)
      for (int64_t q = 0; q < g.o; ++q)
        for (int64_t t = 0; t < g.k; ++t)
          for (int64_t u = 0; u < g.k; ++u)
            for (int64_t i = 0; i < in; ++i)
              for (int64_t j = 0; j < g.f; ++j) {
                int64_t x = inputAt(p, t), y = inputAt(q, u);
                if (isInside(x) && isInside(y))
                  visit(((n * g.s + x) * g.s + y) * g.c + j / out * in + i,
                        ((t * g.k + u) * in + i) * g.f + j,
                        ((n * g.o + p) * g.o + q) * g.f + j);
              }
}

static std::string shape(std::initializer_list<int64_t> extents,
                         const char *separator) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : separator) + std::to_string(extent);
  return text;
}

namespace {
/// The three tensors of a convolution, and which of them a kernel computes.
struct Case {
  const char *op;
  unsigned lhs, rhs, result;
};
} // namespace

static std::string textOf(const Geometry &g, const Case &which) {
  std::initializer_list<int64_t> shapes[] = {{g.n, g.s, g.s, g.c},
                                             {g.k, g.k, g.inputChannels(), g.f},
                                             {g.n, g.o, g.o, g.f}};
  int64_t numbers[] = {g.n, g.s,      g.k,        g.o,   g.c,
                       g.f, g.stride, g.dilation, g.low, g.groups};
  auto type = [&](unsigned tensor) {
    return "tensor<" + shape(shapes[tensor], "x") + "xf32>";
  };
  std::string attributes;
  for (auto [name, number] : llvm::zip_equal(kNumbers, numbers))
    attributes += (attributes.empty() ? "" : ", ") + std::string(name) + " = " +
                  std::to_string(number);
  std::string result = type(which.result);
  return "tgx.kernel @k contraction(%a: " + type(which.lhs) +
         ", %b: " + type(which.rhs) + ") {\n%0 = \"window." + which.op +
         "\"(%a, %b) {" + attributes + "} : (" + type(which.lhs) + ", " +
         type(which.rhs) + ") -> " + result + "\n%1 = tg.relu %0 : " + result +
         "\ntgx.yield %0, %1 : " + result + ", " + result + "\n}";
}

static void addWindowDialect(DialectRegistry &registry) {
  registry.insert<WindowDialect>();
}

static void check(const Geometry &g, const Case &which) {
  std::string text = textOf(g, which);
  SCOPED_TRACE(text);
  KernelHarness harness(text, addWindowDialect);
  ASSERT_TRUE(harness.getKernel());
  std::vector<tg::HostTensor> inputs = harness.makeInputs({});
  std::vector<double> expected(harness.makeOutputs({})[0].getNumElements());
  forEachProduct(g, [&](int64_t input, int64_t filter, int64_t output) {
    int64_t at[] = {input, filter, output};
    expected[at[which.result]] +=
        inputs[0].numberAt(at[which.lhs]) * inputs[1].numberAt(at[which.rhs]);
  });
  for (const tg::Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {});
    for (auto [number, value] : llvm::enumerate(expected)) {
      ASSERT_NEAR(run.outputs[0].numberAt(number), value, 1e-4)
          << "v" << target.level << " element " << number;
      ASSERT_NEAR(run.outputs[1].numberAt(number), std::max(value, 0.0), 1e-4);
    }
  }
}

static void checkAll(const Geometry &g) {
  check(g, {"conv", /*lhs=*/0, /*rhs=*/1, /*result=*/2});
  check(g, {"conv_transpose", /*lhs=*/2, /*rhs=*/1, /*result=*/0});
  check(g, {"conv_filter_grad", /*lhs=*/0, /*rhs=*/2, /*result=*/1});
}

TEST(WindowContraction, WithoutPadding) {
  checkAll({.n = 2,
            .s = 6,
            .k = 3,
            .o = 4,
            .c = 3,
            .f = 5,
            .stride = 1,
            .dilation = 1,
            .low = 0,
            .groups = 1});
}

TEST(WindowContraction, PaddingIsZero) {
  checkAll({.n = 2,
            .s = 5,
            .k = 3,
            .o = 5,
            .c = 2,
            .f = 17,
            .stride = 1,
            .dilation = 1,
            .low = 1,
            .groups = 1});
}

TEST(WindowContraction, StridesAndDilations) {
  checkAll({.n = 1,
            .s = 9,
            .k = 3,
            .o = 4,
            .c = 3,
            .f = 4,
            .stride = 2,
            .dilation = 2,
            .low = 1,
            .groups = 1});
}

TEST(WindowContraction, Groups) {
  checkAll({.n = 1,
            .s = 6,
            .k = 2,
            .o = 3,
            .c = 6,
            .f = 4,
            .stride = 2,
            .dilation = 1,
            .low = 0,
            .groups = 2});
}

/// A filter of one position without padding is still no product of matrices:
/// its rows are windows.
TEST(WindowContraction, IsNoMatrixProduct) {
  Geometry g{.n = 1,
             .s = 4,
             .k = 1,
             .o = 4,
             .c = 2,
             .f = 3,
             .stride = 1,
             .dilation = 1,
             .low = 0,
             .groups = 1};
  KernelHarness harness(textOf(g, {"conv", 0, 1, 2}), addWindowDialect);
  ASSERT_TRUE(harness.getKernel());
  auto products =
      harness.getKernel().getBlock().getOps<tg::ContractionOpInterface>();
  tg::ExtentAnalysis analysis(harness.getKernel().getContext());
  Contraction contraction = (*products.begin()).getContraction(analysis);
  EXPECT_FALSE(contraction.isMatrixProduct());
  EXPECT_EQ(*tg::staticExtent(contraction.getFlops()), 2 * 16 * 2 * 3);
}
