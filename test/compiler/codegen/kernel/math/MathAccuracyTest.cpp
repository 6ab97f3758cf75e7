// Measures every expanded function against long double, per ISA level and
// vector width.
#include "Arguments.h"
#include "CompiledKernels.h"
#include "UlpError.h"

#include "compiler/codegen/kernel/math/MathBuilders.h"
#include "dialects/tg/evaluation/Random.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <x86intrin.h>

using namespace mlir;
using namespace tg::test;

namespace {

using Reference = long double (*)(long double, long double);

/// A function under test: how to build it, and its reference values.
struct Row {
  std::string name;
  Body body;
  /// The reference in double, which is accurate enough for results in f32.
  double (*inDouble)(double, double);
  Reference inLongDouble;
  /// The largest error allowed, in ulp; 0 requires the exact bits.
  double bound = 4;
  bool isBinary = false;
};

template <typename Op> Body unary() {
  return [](OpBuilder &builder, Location loc, Value a, Value) -> Value {
    return Op::create(builder, loc, a);
  };
}

template <typename Op> Body binary() {
  return [](OpBuilder &builder, Location loc, Value a, Value b) -> Value {
    return Op::create(builder, loc, a, b);
  };
}

template <typename T> T exactMaximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename T> T exactMinimum(T a, T b) {
  return -exactMaximum<T>(-a, -b);
}

/// Defines a row whose two references are the same std:: expression.
#define ROW_UNARY(name, Op, expression, ...)                                   \
  Row {                                                                        \
    name, unary<Op>(), [](double x, double) -> double { return expression; },  \
        [](long double x, long double) -> long double { return expression; },  \
        ##__VA_ARGS__                                                          \
  }
#define ROW_BINARY(name, Op, expression, bound)                                \
  Row {                                                                        \
    name, binary<Op>(),                                                        \
        [](double x, double y) -> double { return expression; },               \
        [](long double x, long double y) -> long double {                      \
          return expression;                                                   \
        },                                                                     \
        bound, true                                                            \
  }

long double erfInvReference(long double x, long double) {
  return tg::erfInv(x, 1 - std::abs(x));
}

std::vector<Row> makeRows() {
  Row erfInv = {
      "erfinv",
      [](OpBuilder &builder, Location loc, Value a, Value) {
        return tg::buildErfInv(builder, loc, a);
      },
      [](double x, double y) -> double { return erfInvReference(x, y); },
      erfInvReference, 5};
  return {ROW_UNARY("exp", math::ExpOp, std::exp(x)),
          ROW_UNARY("expm1", math::ExpM1Op, std::expm1(x)),
          ROW_UNARY("log", math::LogOp, std::log(x)),
          ROW_UNARY("log1p", math::Log1pOp, std::log1p(x)),
          ROW_UNARY("sin", math::SinOp, std::sin(x)),
          ROW_UNARY("cos", math::CosOp, std::cos(x)),
          ROW_UNARY("atan", math::AtanOp, std::atan(x)),
          ROW_UNARY("tanh", math::TanhOp, std::tanh(x)),
          ROW_UNARY("erf", math::ErfOp, std::erf(x)),
          erfInv,
          ROW_UNARY("sqrt", math::SqrtOp, std::sqrt(x), 0.5001),
          ROW_UNARY("floor", math::FloorOp, std::floor(x), 0),
          ROW_UNARY("roundeven", math::RoundEvenOp, std::nearbyint(x), 0),
          ROW_UNARY("absf", math::AbsFOp, std::abs(x), 0),
          ROW_BINARY("powf", math::PowFOp, std::pow(x, y), 4),
          ROW_BINARY("remf", arith::RemFOp, std::fmod(x, y), 0),
          ROW_BINARY("copysign", math::CopySignOp, std::copysign(x, y), 0),
          ROW_BINARY("maximumf", arith::MaximumFOp, exactMaximum(x, y), 0),
          ROW_BINARY("minimumf", arith::MinimumFOp, exactMinimum(x, y), 0)};
}

/// The largest error of one function on one level, and its arguments.
struct Worst {
  double error = -1;
  double a = 0, b = 0;
};

/// Returns true if two values have the same bits; all NaNs are equal.
template <typename T> bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 ||
         (std::isnan(a) && std::isnan(b));
}

template <typename T>
void note(Worst &worst, const T *a, const T *b, const T *got,
          const long double *exact) {
  for (int64_t i = 0; i < kBlock; ++i) {
    if (same(got[i], T(exact[i])) && worst.error >= 0.5)
      continue;
    double error = ulpError(got[i], exact[i]);
    if (error > worst.error)
      worst = {error, double(a[i]), double(b[i])};
  }
}

template <typename T> Type typeOf(OpBuilder &builder) {
  if constexpr (sizeof(T) == 4)
    return builder.getF32Type();
  else
    return builder.getF64Type();
}

template <typename T> std::string nameOf(const std::string &row, bool vector) {
  return row + (sizeof(T) == 4 ? "_f32" : "_f64") + (vector ? "_v" : "_s");
}

/// The compiled kernels of all rows for one level.
struct Level {
  std::string name;
  std::unique_ptr<CompiledKernels> kernels;
};

class MathAccuracy : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    rows = new std::vector<Row>(makeRows());
    levels = new std::vector<Level>;
    for (const std::string &name : allIsaLevels()) {
      Level level = {name, std::make_unique<CompiledKernels>(name)};
      for (const Row &row : *rows) {
        addRow<float>(level, row);
        addRow<double>(level, row);
      }
      std::string message = level.kernels->compile();
      ASSERT_EQ(message, "") << name;
      levels->push_back(std::move(level));
    }
  }

  static void TearDownTestSuite() {
    delete levels;
    delete rows;
  }

  template <typename T> static void addRow(Level &level, const Row &row) {
    CompiledKernels &kernels = *level.kernels;
    Type type = typeOf<T>(kernels.getBuilder());
    unsigned width = widestVector(level.name, sizeof(T));
    kernels.add(nameOf<T>(row.name, false), type, 1, row.body);
    kernels.add(nameOf<T>(row.name, true), type, width, row.body);
  }

  template <typename T>
  static void checkRow(const Row &row, const Source<T> &source);

  static std::vector<Row> *rows;
  static std::vector<Level> *levels;
};

std::vector<Row> *MathAccuracy::rows;
std::vector<Level> *MathAccuracy::levels;

/// Runs scalar and vector code of every level on all arguments of `source`.
template <typename T>
void MathAccuracy::checkRow(const Row &row, const Source<T> &source) {
  std::vector<T> a(kBlock), b(kBlock), scalar(kBlock), vector(kBlock);
  std::vector<long double> exact(kBlock);
  std::vector<Worst> worst(levels->size());
  while (source(a.data(), b.data())) {
    for (int64_t i = 0; i < kBlock; ++i)
      exact[i] = sizeof(T) == 4 ? row.inDouble(a[i], b[i])
                                : row.inLongDouble(a[i], b[i]);
    for (size_t k = 0; k < levels->size(); ++k) {
      const Level &level = (*levels)[k];
      if (!canRun(level.name))
        continue;
      Loop scalarLoop = level.kernels->find(nameOf<T>(row.name, false));
      Loop vectorLoop = level.kernels->find(nameOf<T>(row.name, true));
      ASSERT_TRUE(scalarLoop && vectorLoop);
      scalarLoop(a.data(), b.data(), scalar.data(), kBlock);
      vectorLoop(a.data(), b.data(), vector.data(), kBlock);
      for (int64_t i = 0; i < kBlock; ++i)
        ASSERT_TRUE(same(scalar[i], vector[i]))
            << row.name << " on " << level.name << " of " << a[i] << ", "
            << b[i] << ": scalar " << scalar[i] << ", vector " << vector[i];
      note(worst[k], a.data(), b.data(), scalar.data(), exact.data());
    }
  }
  for (size_t k = 0; k < levels->size(); ++k) {
    if (!canRun((*levels)[k].name))
      continue;
    std::printf("%-10s %s %s %8.3f ulp at %.9g", row.name.c_str(),
                sizeof(T) == 4 ? "f32" : "f64", (*levels)[k].name.c_str(),
                worst[k].error, worst[k].a);
    std::printf(row.isBinary ? ", %.17g\n" : "\n", worst[k].b);
    EXPECT_LE(worst[k].error, row.bound) << row.name;
  }
}

TEST_F(MathAccuracy, ObjectsCallNothing) {
  for (const Level &level : *levels)
    EXPECT_EQ(level.kernels->getUndefinedSymbols(), std::vector<std::string>())
        << level.name;
}

TEST_F(MathAccuracy, UnaryF32OverAllPatterns) {
  for (const Row &row : *rows)
    if (!row.isBinary && row.name != "erfinv")
      checkRow<float>(row, AllFloats{0, row.bound > 1 ? 1021u : 10007u});
}

TEST_F(MathAccuracy, UnaryF32AtEdges) {
  for (const Row &row : *rows)
    if (!row.isBinary)
      checkRow<float>(
          row, Mixed<float>{.count = 200000, .onlyUnit = row.name == "erfinv"});
}

TEST_F(MathAccuracy, BinaryF32) {
  for (const Row &row : *rows)
    if (row.isBinary)
      checkRow<float>(row, Mixed<float>{.count = 1000000});
}

TEST_F(MathAccuracy, F64) {
  for (const Row &row : *rows)
    checkRow<double>(
        row, Mixed<double>{.count = 300000, .onlyUnit = row.name == "erfinv"});
}

/// Without fused operations, the results of all levels agree bit for bit.
TEST_F(MathAccuracy, LevelsAgreeWithoutFusion) {
  std::vector<std::unique_ptr<CompiledKernels>> portable;
  for (const std::string &name : allIsaLevels()) {
    if (!canRun(name))
      continue;
    portable.push_back(std::make_unique<CompiledKernels>(name, true));
    CompiledKernels &kernels = *portable.back();
    for (const Row &row : *rows)
      kernels.add(row.name, kernels.getBuilder().getF32Type(),
                  widestVector(name, 4), row.body);
    ASSERT_EQ(kernels.compile(), "");
  }
  std::vector<float> a(kBlock), b(kBlock), first(kBlock), other(kBlock);
  for (const Row &row : *rows) {
    Mixed<float> source{.count = 100000};
    while (source(a.data(), b.data())) {
      portable[0]->find(row.name)(a.data(), b.data(), first.data(), kBlock);
      for (const auto &kernels : llvm::drop_begin(portable)) {
        kernels->find(row.name)(a.data(), b.data(), other.data(), kBlock);
        for (int64_t i = 0; i < kBlock; ++i)
          ASSERT_TRUE(same(first[i], other[i]))
              << row.name << " of " << a[i] << ", " << b[i];
      }
    }
  }
}

/// Prints the time-stamp ticks per 16 elements for information only.
TEST_F(MathAccuracy, PrintsSpeed) {
  std::vector<float> a(kBlock), b(kBlock), out(kBlock);
  std::mt19937 random(7);
  for (int64_t i = 0; i < kBlock; ++i) {
    a[i] = float(random() >> 8) * 0x1p-22f;
    b[i] = float(random() >> 8) * 0x1p-22f;
  }
  for (const Level &level : *levels) {
    for (const Row &row : *rows) {
      if (!canRun(level.name))
        continue;
      Loop loop = level.kernels->find(nameOf<float>(row.name, true));
      uint64_t best = ~uint64_t(0);
      for (int repeat = 0; repeat < 20; ++repeat) {
        uint64_t start = __rdtsc();
        loop(a.data(), b.data(), out.data(), kBlock);
        best = std::min<uint64_t>(best, __rdtsc() - start);
      }
      std::printf("%-10s %s %7.1f ticks per 16 f32\n", row.name.c_str(),
                  level.name.c_str(), double(best) * 16 / kBlock);
    }
  }
}

} // namespace
