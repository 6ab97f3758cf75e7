/// The error of a kernel with several checks: the first check in its order that
/// found a bad element, at the lowest of these, with the value of that element,
/// for any number and order of threads.
#include "LibraryHarness.h"
#include "gtest/gtest.h"
#include <cmath>
#include <thread>

using namespace tg;
using namespace tg::test;

namespace {

/// Ten predicates: more than the error cells that every workspace has.
constexpr const char *kModel = R"mlir(
module @checks {
  tgx.kernel @check loop[s0](%x: tensor<?xf32> [s0], %a: tensor<?xi32> [s0], %b: tensor<?xi32> [s0]) {
    %0 = tgx.check_finite %x {op_name = "input 'x'"} : tensor<?xf32> loc("model.mlir":1:1)
    %1 = tg.exp %0 : tensor<?xf32>
    %2 = tgx.check_finite %1 from %0 {op_name = "tg.exp"} : tensor<?xf32> from tensor<?xf32> loc("model.mlir":2:1)
    %3 = tg.mul %2, %2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %4 = tgx.check_finite %3 {op_name = "tg.mul"} : tensor<?xf32> loc("model.mlir":3:1)
    %5 = tg.add %a, %a : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    %6 = tgx.check_index %5 below [s0] -> (20) {op_name = "tg.gather"} : tensor<?xi32> loc("model.mlir":4:1)
    %7 = tgx.check_index %b below [s0] -> (s0) {op_name = "tg.gather"} : tensor<?xi32> loc("model.mlir":5:1)
    %8 = tgx.check_divisor %b {op_name = "tg.div"} : tensor<?xi32> loc("model.mlir":6:1)
    %9 = tgx.check_index %a below [s0] -> (9) {op_name = "tg.gather"} : tensor<?xi32> loc("model.mlir":7:1)
    tgx.yield %4, %6, %7, %8, %9 : tensor<?xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  }
  tgx.function @run attributes {role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
      inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>},
                {name = "a", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>},
                {name = "b", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>}],
      outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>},
                 {name = "i", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>},
                 {name = "j", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>},
                 {name = "k", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>},
                 {name = "l", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>}]} {
    %x = tgx.input 0 : tensor<?xf32>
    %a = tgx.input 1 : tensor<?xi32>
    %b = tgx.input 2 : tensor<?xi32>
    %y = tgx.output 0 : tensor<?xf32>
    %i = tgx.output 1 : tensor<?xi32>
    %j = tgx.output 2 : tensor<?xi32>
    %k = tgx.output 3 : tensor<?xi32>
    %l = tgx.output 4 : tensor<?xi32>
    tgx.launch @check(%x, %a, %b) into (%y, %i, %j, %k, %l) [s0] -> (s0)
        : tensor<?xf32>, tensor<?xi32>, tensor<?xi32> into tensor<?xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  }
})mlir";

/// Runs pieces of a loop on a thread each, the last piece first.
int32_t runThreads(void *user, int64_t count, tg_body_fn *body, void *task) {
  int64_t pieces = *static_cast<int64_t *>(user);
  std::vector<std::thread> threads;
  for (int64_t piece = pieces; piece-- > 0;)
    threads.emplace_back([=] {
      body(task, count * piece / pieces, count * (piece + 1) / pieces,
           uint32_t(piece));
    });
  for (std::thread &thread : threads)
    thread.join();
  return 0;
}

class ElementCheckTest : public testing::Test {
protected:
  static constexpr int64_t kCount = 40000;

  static void SetUpTestSuite() {
    file = new std::vector<char>(compile(kModel, {}));
  }
  static void TearDownTestSuite() { delete file; }

  void SetUp() override {
    ASSERT_FALSE(file->empty());
    library = std::make_unique<Loaded>(*file);
    ASSERT_NE(library->model(), nullptr);
    host = std::make_unique<Host>(library->model());
  }

  /// Expects the message of a run with these inputs, "" if it does not fail,
  /// for several numbers of threads.
  void expectMessage(const std::string &message) {
    std::vector<int64_t> dims = {kCount};
    std::vector<float> y(kCount);
    std::vector<int32_t> i(kCount), j(kCount), k(kCount), l(kCount);
    for (int64_t threads : {1, 2, 7}) {
      tg_parallel_t parallel = {sizeof(parallel), uint32_t(threads), &threads,
                                runThreads};
      tg_status_t status =
          host->run(library->find("run"),
                    {tensor(x.data(), dims), tensor(a.data(), dims),
                     tensor(b.data(), dims)},
                    {tensor(y.data(), dims), tensor(i.data(), dims),
                     tensor(j.data(), dims), tensor(k.data(), dims),
                     tensor(l.data(), dims)},
                    threads == 1 ? nullptr : &parallel);
      EXPECT_EQ(status == TG_OK ? "" : std::string(host->error.message),
                message)
          << threads << " threads";
    }
  }

  static std::vector<char> *file;
  std::unique_ptr<Loaded> library;
  std::unique_ptr<Host> host;
  std::vector<float> x = std::vector<float>(kCount, 0.5f);
  std::vector<int32_t> a = std::vector<int32_t>(kCount, 3);
  std::vector<int32_t> b = std::vector<int32_t>(kCount, 1);
};

std::vector<char> *ElementCheckTest::file;

} // namespace

TEST_F(ElementCheckTest, goodElementsPass) { expectMessage(""); }

TEST_F(ElementCheckTest, nanAndInfinityShareACheck) {
  x[39000] = std::nanf("");
  x[38000] = -INFINITY;
  expectMessage("model.mlir:1:1: input 'x': value at element 38000 is "
                "infinite, expected a finite number");
  x[37999] = std::nanf("");
  expectMessage("model.mlir:1:1: input 'x': value at element 37999 is NaN, "
                "expected a number");
}

TEST_F(ElementCheckTest, theFirstCheckOfTheKernelReports) {
  b[2] = 0;
  expectMessage("model.mlir:6:1: tg.div: divisor at element 2 is 0 [R1]");
  b[20000] = -4;
  expectMessage("model.mlir:5:1: tg.gather: index -4 at element 20000 is out "
                "of range, expected at least 0 and below 40000 [R1]");
  a[30000] = 11;
  expectMessage("model.mlir:4:1: tg.gather: index 22 at element 30000 is out "
                "of range, expected at least 0 and below 20 [R1]");
  x[35000] = 80;
  expectMessage("model.mlir:3:1: tg.mul: result at element 35000 is "
                "infinite, expected a finite number");
  x[39999] = 100;
  expectMessage("model.mlir:2:1: tg.exp: result at element 39999 is infinite, "
                "expected a finite number");
}

/// The second run stores the value for the check alone that reports.
TEST_F(ElementCheckTest, valuesOfOtherChecksAreNotReported) {
  for (int64_t element = 100; element < kCount; element += 97)
    a[element] = 9, b[element] = -int32_t(element);
  expectMessage("model.mlir:5:1: tg.gather: index -100 at element 100 is out "
                "of range, expected at least 0 and below 40000 [R1]");
  std::fill(b.begin(), b.end(), 1);
  expectMessage("model.mlir:7:1: tg.gather: index 9 at element 100 is out of "
                "range, expected at least 0 and below 9 [R1]");
  for (int64_t element = 100; element < kCount; element += 97)
    a[element] = int32_t(element);
  expectMessage("model.mlir:4:1: tg.gather: index 200 at element 100 is out "
                "of range, expected at least 0 and below 20 [R1]");
}
