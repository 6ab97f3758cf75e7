#include "support/Evaluate.h"

#include <random>

using namespace tg::test;

namespace {

constexpr unsigned lanes = 32;

/// Tests instructions on matrices in the registers of a warp. The layouts are
/// written here once more, as the PTX ISA states them in formulas.
class MatrixTest : public InstructionTest {
protected:
  using Words = std::vector<uint32_t>;

  /// Runs a body with one warp. Each lane loads `in` words into %x0, %x1, ...
  /// and stores `out` words from %x20, %x21, ...
  Words runWarp(const std::string &body, unsigned in, unsigned out,
                const Words &words) {
    auto number = [](unsigned value) { return std::to_string(value); };
    std::string text = ".reg .b32 %x<30>;\n.reg .f32 %y<30>;\n"
                       "mov.u32 %r1, %tid.x;\n"
                       "mad.wide.u32 %d1, %r1, " +
                       number(4 * in) + ", %p0;\nmad.wide.u32 %d2, %r1, " +
                       number(4 * out) + ", %p1;\n";
    for (unsigned i = 0; i < in; ++i)
      text +=
          "ld.global.b32 %x" + number(i) + ", [%d1+" + number(4 * i) + "];\n";
    text += body;
    for (unsigned i = 0; i < out; ++i)
      text += "st.global.b32 [%d2+" + number(4 * i) + "], %x" + number(20 + i) +
              ";\n";
    Buffer from(4 * lanes * in), to(4 * lanes * out);
    from.put(words);
    run(kernel(kernelOf(2, text), "k"), 1, lanes, {from.address, to.address});
    return to.take<uint32_t>(lanes * out);
  }

  /// Loads matrices of 16-bit numbers, row r of matrix m of which begins with
  /// 64 * m + 8 * r. The rows of a matrix lie 16 bytes apart, in the opposite
  /// order.
  Words loadMatrices(unsigned count, bool isTransposed) {
    std::string suffix = isTransposed ? ".trans.shared.b16" : ".shared.b16";
    std::string opcode =
        "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + suffix;
    noteRun(opcode);
    std::string results;
    for (unsigned i = 0; i < count; ++i)
      results += (i ? ", %x2" : "%x2") + std::to_string(i);
    Words words;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < 8; i += 2)
        words.push_back((8 * lane + i + 1) << 16 | (8 * lane + i));
    return runWarp(R"(.shared .align 16 .b8 s[512];
mov.b64 %d3, s;
sub.u32 %r2, 31, %r1;
mul.wide.u32 %d4, %r2, 16;
add.s64 %d4, %d4, %d3;
st.shared.v4.b32 [%d4], {%x0, %x1, %x2, %x3};
bar.warp.sync -1;
)" + opcode + " {" + results +
                       "}, [%d4];\n",
                   4, count, words);
  }

  /// The matrices of a product of 16 x depth and depth x 8 elements.
  struct Product {
    float a[16][8], b[8][8], c[16][8];
  };

  /// Returns D of mma for tf32.
  std::vector<float> multiply(const Product &p, unsigned depth) {
    std::string opcode = "mma.sync.aligned.m16n8k" + std::to_string(depth) +
                         ".row.col.f32.tf32.tf32.f32";
    noteRun(opcode);
    unsigned ofA = depth / 2, ofB = depth / 4, in = ofA + ofB + 4;
    Words words;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      unsigned group = lane >> 2, member = lane % 4;
      for (unsigned i = 0; i < ofA; ++i)
        words.push_back(encode(p.a[i == 1 || i == 3 ? group + 8 : group]
                                  [i < 2 ? member : member + 4]));
      for (unsigned i = 0; i < ofB; ++i)
        words.push_back(encode(p.b[i == 0 ? member : member + 4][group]));
      for (unsigned i = 0; i < 4; ++i)
        words.push_back(
            encode(p.c[i < 2 ? group : group + 8][member * 2 + (i & 1)]));
    }
    std::string a = depth == 8 ? "{%x0, %x1, %x2, %x3}" : "{%x0, %x1}";
    std::string b = depth == 8 ? "{%x4, %x5}" : "{%x2}";
    std::string body;
    for (unsigned i = 0; i < 4; ++i)
      body += "mov.b32 %y" + std::to_string(i) + ", %x" +
              std::to_string(ofA + ofB + i) + ";\n";
    body += opcode + " {%y10, %y11, %y12, %y13}, " + a + ", " + b +
            ", {%y0, %y1, %y2, %y3};\n";
    for (unsigned i = 0; i < 4; ++i)
      body += "mov.b32 %x2" + std::to_string(i) + ", %y1" + std::to_string(i) +
              ";\n";
    Words found = runWarp(body, in, 4, words);
    std::vector<float> d(16 * 8);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        d[((lane >> 2) + (i < 2 ? 0 : 8)) * 8 + lane % 4 * 2 + (i & 1)] =
            decode<float>(found[4 * lane + i]);
    return d;
  }

  /// Returns matrices of random numbers, of which A and B are tf32.
  static Product randomProduct(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-4, 4);
    Product p;
    auto fill = [&](auto &matrix, uint32_t mask) {
      for (auto &row : matrix)
        for (float &value : row)
          value = decode<float>(encode(values(random)) & mask);
    };
    fill(p.a, ~0x1fffu);
    fill(p.b, ~0x1fffu);
    fill(p.c, ~0u);
    return p;
  }
};

TEST_F(MatrixTest, LoadsOfRows) {
  for (unsigned count : {1, 2, 4}) {
    Words found = loadMatrices(count, /*isTransposed=*/false);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned m = 0; m < count; ++m) {
        uint32_t first = 64 * m + 8 * (lane / 4) + 2 * (lane % 4);
        EXPECT_EQ(found[count * lane + m], (first + 1) << 16 | first);
      }
  }
}

TEST_F(MatrixTest, LoadsOfColumns) {
  for (unsigned count : {1, 2, 4}) {
    Words found = loadMatrices(count, /*isTransposed=*/true);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned m = 0; m < count; ++m) {
        uint32_t first = 64 * m + 8 * (2 * (lane % 4)) + lane / 4;
        EXPECT_EQ(found[count * lane + m], (first + 8) << 16 | first);
      }
  }
}

/// C comes first and then the products in their order.
TEST_F(MatrixTest, ProductsOfTensorFloats) {
  for (unsigned depth : {4, 8})
    for (unsigned seed = 0; seed < 4; ++seed) {
      Product p = randomProduct(seed);
      std::vector<float> found = multiply(p, depth);
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned column = 0; column < 8; ++column) {
          float sum = p.c[row][column];
          for (unsigned k = 0; k < depth; ++k)
            sum += p.a[row][k] * p.b[k][column];
          EXPECT_EQ(found[8 * row + column], sum) << row << ", " << column;
        }
    }
}

/// The bits that tf32 does not have are not read.
TEST_F(MatrixTest, BitsBehindTheMantissa) {
  Product p = randomProduct(9), longer = p;
  for (auto &row : longer.a)
    for (float &value : row)
      value = decode<float>(encode(value) | 0x1fff);
  EXPECT_EQ(multiply(p, 8), multiply(longer, 8));
}

/// Halves are rounded away from zero.
TEST_F(MatrixTest, RoundedTensorFloats) {
  check(
      "cvt.rna.tf32.f32", +[](float a) -> uint32_t {
        if (std::isnan(a))
          return 0x7fffffff;
        if (std::isinf(a) || a == 0)
          return encode(a);
        int exponent = std::max(std::ilogb(a), -126);
        double unit = std::ldexp(1.0, exponent - 10);
        return encode(float(std::round(a / unit) * unit));
      });
}

} // namespace
