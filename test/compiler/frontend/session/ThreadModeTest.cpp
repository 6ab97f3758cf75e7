// Tests that the floating-point mode and the locale of a process change no
// result of a computation, a compilation or a file.
#include "tg/runtime.hpp"
#include "tg/tg.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>
#include <xmmintrin.h>

using namespace tg;

namespace {
/// MXCSR bits: flush to zero, denormals are zero, round upward.
constexpr unsigned kOther = 0x8040 | 0x4000;

/// Sets another floating-point mode on this thread within a scope.
class OtherMode {
public:
  OtherMode() : before(_mm_getcsr()) { _mm_setcsr(before | kOther); }
  ~OtherMode() {
    EXPECT_EQ(_mm_getcsr() & kOther, kOther) << "the mode is given back";
    _mm_setcsr(before);
  }

private:
  unsigned before;
};

std::string contentOf(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Defines a function of denormal and rounded quotients of inputs and of
/// constants.
void define(Program &program) {
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor small = program.constant({1e-40, 3e-42, 1.0 / 3}, f32, {3});
  program.function(
      "f", {.inputs = {x}, .outputs = {{"y", x / 3.0}, {"z", small / 7.0}}});
}

std::string compileTo(const char *name) {
  Program program("modes");
  define(program);
  std::string path = testing::TempDir() + name;
  program.compile(path, {.levels = {2, 3}, .report = path + ".json"});
  return path;
}

/// Returns the bits of numbers, since a comparison of denormals depends on the
/// mode.
std::vector<uint32_t> bitsOf(const void *numbers, size_t count) {
  std::vector<uint32_t> bits(count);
  std::memcpy(bits.data(), numbers, count * sizeof(uint32_t));
  return bits;
}

/// Returns denormal and other numbers.
std::vector<float> makeNumbers() {
  std::vector<float> x(1 << 20);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 1e-40f * float(i % 1000) + float(i % 3);
  return x;
}

std::vector<uint32_t> run(Context &context, std::vector<float> &x) {
  const Outputs &outputs = context.run("f", {{"x", x}});
  auto y = outputs.values<float>("y");
  auto z = outputs.values<float>("z");
  std::vector<uint32_t> all = bitsOf(y.data(), y.size());
  for (uint32_t bits : bitsOf(z.data(), z.size()))
    all.push_back(bits);
  return all;
}

/// Runs a loop on threads of the caller, which have the mode in which they
/// started.
int32_t onThreads(void *, int64_t count, tg_body_fn *body, void *task) {
  std::thread first([&] { body(task, 0, count / 2, 0); });
  std::thread second([&] { body(task, count / 2, count, 1); });
  first.join(), second.join();
  return 0;
}
} // namespace

TEST(ThreadMode, runsComputeInOneMode) {
  Model model = Model::load(compileTo("mode.so"));
  Context plain = model.context();
  std::vector<float> x = makeNumbers();
  const std::vector<uint32_t> expected = run(plain, x);
  EXPECT_NE(expected[3], 0u) << "a denormal number";
  OtherMode other;
  EXPECT_TRUE(run(plain, x) == expected);
  Context pooled = model.context({.threads = 3});
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(run(pooled, x) == expected);
  tg_parallel_t parallel = {};
  parallel.struct_size = sizeof(parallel);
  parallel.worker_count = 2;
  parallel.parallel_for = onThreads;
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.parallel = &parallel;
  tg_context_t *context = nullptr;
  ASSERT_EQ(tg_context_create(model.handle(), &options, &context, nullptr),
            TG_OK);
  std::vector<float> y(x.size()), z(3);
  int64_t dims[] = {int64_t(x.size())}, three[] = {3};
  const auto tensor = [](float *data, int64_t *shape) {
    return tg_tensor_t{
        data, {TG_DEVICE_CPU, 0}, 1, {TG_DTYPE_FLOAT, 32, 1}, shape, nullptr,
        0};
  };
  tg_tensor_t input = tensor(x.data(), dims);
  tg_tensor_t outputs[] = {tensor(y.data(), dims), tensor(z.data(), three)};
  ASSERT_EQ(tg_context_reserve(context, 0, dims, nullptr), TG_OK);
  ASSERT_EQ(tg_context_run(context, 0, &input, 1, outputs, 2, nullptr), TG_OK);
  std::vector<uint32_t> found = bitsOf(y.data(), y.size());
  EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin()));
  tg_context_destroy(context);
}

TEST(ThreadMode, compilationsGiveTheSameBytes) {
  std::string plain = contentOf(compileTo("mode-plain.so"));
  OtherMode other;
  EXPECT_TRUE(plain == contentOf(compileTo("mode-other.so")));
}

TEST(ThreadMode, sessionsAndEagerModeComputeInIt) {
  const auto computeAll = [&] {
    Program graph("g");
    Tensor y = graph.constant({1e-40, 2, 1}, f32, {3}) / 3.0;
    Session session(graph, {.optimization = 1, .kernelCache = ""});
    Array fetched = session.run(y);
    std::vector<uint32_t> all = bitsOf(std::as_const(fetched).data(), 3);
    ExecutionScope eager(true);
    Program now("now");
    Tensor z = now.constant({1e-40, 2, 1}, f32, {3}) / 3.0;
    std::vector<float> values = z.values<float>();
    for (uint32_t bits : bitsOf(values.data(), values.size()))
      all.push_back(bits);
    return all;
  };
  std::vector<uint32_t> expected = computeAll();
  EXPECT_NE(expected[0], 0u);
  EXPECT_EQ(expected[0], expected[3]);
  OtherMode other;
  EXPECT_EQ(computeAll(), expected);
}

namespace {
/// The file format of glibc's LC_NUMERIC: decimal point and separator as bytes
/// and as wide characters.
constexpr unsigned char kCommas[] = {
    0x14, 0x11, 0x03, 0x20, 6, 0,   0,   0,    0x20, 0,   0,   0,    0x22,
    0,    0,    0,    0x23, 0, 0,   0,   0x24, 0,    0,   0,   0x28, 0,
    0,    0,    0x2c, 0,    0, 0,   ',', 0,    0,    0,   ',', 0,    0,
    0,    0,    0,    0,    0, 'U', 'T', 'F',  '-',  '8', 0};

/// Sets a locale with a decimal comma, which need not be installed.
void setComma() {
  std::string directory = testing::TempDir() + "languages";
  std::filesystem::create_directories(directory + "/comma");
  std::ofstream(directory + "/comma/LC_NUMERIC", std::ios::binary)
      .write(reinterpret_cast<const char *>(kCommas), sizeof(kCommas));
  ::setenv("LOCPATH", directory.c_str(), 1);
  ASSERT_NE(std::setlocale(LC_NUMERIC, "comma"), nullptr);
}
} // namespace

TEST(ThreadMode, aDecimalCommaChangesNothingThatIsWritten) {
  Program program("modes");
  define(program);
  const std::string text = program.text();
  const std::string summary = program.summary();
  const std::string library = contentOf(compileTo("comma-plain.so"));
  const auto describe = [] {
    float numbers[] = {1.5f, 1e-3f};
    int64_t dims[] = {2};
    tg_tensor_t tensor = {
        numbers, {TG_DEVICE_CPU, 0}, 1, {TG_DTYPE_FLOAT, 32, 1}, dims, nullptr,
        0};
    char found[64];
    tg_tensor_describe(&tensor, found, sizeof(found));
    return std::string(found);
  };
  setComma();
  char comma[16];
  std::snprintf(comma, sizeof(comma), "%.1f", 1.5);
  ASSERT_STREQ(comma, "1,5");
  EXPECT_EQ(program.text(), text);
  EXPECT_EQ(program.summary(), summary);
  std::string path = compileTo("comma.so");
  EXPECT_TRUE(library == contentOf(path));
  // A number with a comma would be invalid JSON.
  EXPECT_TRUE(nlohmann::json::accept(contentOf(path + ".json")));
  EXPECT_EQ(describe(), "f32[2] [1.5, 0.001]");
  std::string message;
  try {
    (void)dropout(program.zeros({3}), {1.5});
  } catch (const GraphError &error) {
    message = error.message;
  }
  EXPECT_EQ(message.find(",5"), std::string::npos) << message;
  std::setlocale(LC_NUMERIC, "C");
}
