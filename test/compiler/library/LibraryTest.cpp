/// Tests the tables of a library and the results of its functions.
#include "LibraryHarness.h"
#include "test/runtime/support/PretendedCpu.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace tg;
using namespace tg::test;

namespace {

class LibraryTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    file = new std::vector<char>(compile(kCounterModel, {}));
  }
  static void TearDownTestSuite() { delete file; }

  void SetUp() override {
    ASSERT_FALSE(file->empty());
    library = std::make_unique<Loaded>(*file);
    ASSERT_NE(library->model(), nullptr);
    host = std::make_unique<Host>(library->model());
  }

  static std::vector<char> *file;
  std::unique_ptr<Loaded> library;
  std::unique_ptr<Host> host;
  std::vector<int64_t> none;
};

std::vector<char> *LibraryTest::file;

TEST_F(LibraryTest, tables_describe_variables) {
  const tg_model_t *model = library->model();
  ASSERT_EQ(model->variable_count, 3u) << "the unused one is left out";
  const tg_variable_t *w = model->variables[0], *step = model->variables[1],
                      *slot = model->variables[2];
  EXPECT_STREQ(w->name, "w");
  EXPECT_EQ(w->role, uint32_t(TG_ROLE_PARAMETER));
  EXPECT_EQ(w->flags, uint32_t(TG_VARIABLE_TRAINABLE));
  EXPECT_EQ(w->offset, 64u);
  EXPECT_EQ(w->bytes, 32u);
  EXPECT_EQ(w->rank, 1u);
  EXPECT_EQ(w->dims[0], 8);
  EXPECT_STREQ(step->name, "step");
  EXPECT_EQ(step->role, uint32_t(TG_ROLE_STEP));
  EXPECT_EQ(step->offset, 128u);
  EXPECT_EQ(step->dtype.bits, 64);
  EXPECT_STREQ(slot->name, "w_m");
  EXPECT_EQ(slot->role, uint32_t(TG_ROLE_SLOT));
  EXPECT_EQ(slot->owner, 0);
  EXPECT_EQ(model->slab_bytes, 256u);
  EXPECT_EQ(model->alignment, 64u);
  EXPECT_EQ(model->packed_bytes, 0u);
}

TEST_F(LibraryTest, tables_describe_functions) {
  const tg_function_t *init = library->find("init");
  EXPECT_EQ(init->flags,
            uint32_t(TG_FUNCTION_INITIALIZES | TG_FUNCTION_WRITES_VARIABLES |
                     TG_FUNCTION_TRACES));
  EXPECT_EQ(init->slab_bytes, 256u);
  const tg_function_t *lookup = library->find("lookup");
  EXPECT_EQ(lookup->flags, uint32_t(TG_FUNCTION_TRACES));
  EXPECT_EQ(lookup->slab_bytes, 128u) << "only the front of the slab";
  EXPECT_EQ(library->find("count")->flags,
            uint32_t(TG_FUNCTION_WRITES_VARIABLES | TG_FUNCTION_TRACES));
  const tg_function_t *relu = library->find("relu_twice");
  EXPECT_EQ(relu->slab_bytes, 0u);
  EXPECT_EQ(relu->symbol_count, 2u);
  EXPECT_EQ(relu->symbol_total, 3u);
  EXPECT_EQ(relu->inputs[1]->dims[0], -2);
  EXPECT_EQ(relu->outputs[0]->dims[0], -3) << "the computed symbol";
  EXPECT_STREQ(relu->symbols[2]->name, "y.0");
  EXPECT_EQ(relu->symbols[0]->minimum, 0);
}

TEST_F(LibraryTest, init_writes_the_slab_and_count_advances) {
  ASSERT_EQ(host->run(library->find("init"), {}, {}), TG_OK)
      << host->error.message;
  EXPECT_EQ(host->variable<float>(0)[7], 7.0f);
  int64_t step = 0;
  tg_tensor_t output = tensor(&step, none);
  for (int64_t expected = 1; expected < 4; ++expected) {
    ASSERT_EQ(host->run(library->find("count"), {}, output), TG_OK)
        << host->error.message;
    EXPECT_EQ(step, expected);
  }
  const auto *header = reinterpret_cast<tg_slab_header_t *>(host->slab);
  EXPECT_EQ(header->generation, 4u);
  EXPECT_EQ(std::memcmp(header->layout_id, library->model()->layout_id, 16), 0);
}

TEST_F(LibraryTest, plan_adds_buffers_above_each_other) {
  const tg_function_t *relu = library->find("relu_twice");
  // The error cells and what the body computes before it starts.
  std::vector<int64_t> symbols = {0, 0, 0};
  int64_t header = host->plan(relu, symbols);
  EXPECT_GE(header, 64);
  EXPECT_EQ(header % 64, 0);
  // Buffer a has 96 bytes; buffer b has 192 bytes and begins at offset 128.
  symbols = {3, 3, 0};
  EXPECT_EQ(host->plan(relu, symbols), header + 128 + 192);
  EXPECT_EQ(symbols[2], 6);
}

TEST_F(LibraryTest, plan_refuses_what_overflows_or_differs) {
  const tg_function_t *relu = library->find("relu_twice");
  std::vector<int64_t> symbols = {int64_t(1) << 41, 1, 0};
  EXPECT_EQ(host->plan(relu, symbols), -1);
  EXPECT_EQ(host->error.status, TG_ERROR_DIM);
  symbols = {3, 4, 0};
  EXPECT_EQ(host->plan(relu, symbols), -1);
  EXPECT_EQ(host->error.status, TG_ERROR_DIM);
  EXPECT_STREQ(host->error.message,
               "model.mlir:3:4: tg.same: dim 0 of x is 3, expected 4 [R0]");
  symbols = {50001, 50001, 0};
  EXPECT_EQ(host->plan(relu, symbols), -1);
  EXPECT_STREQ(host->error.message,
               "tg.slice: extent is 100002, expected at most 100000 [R0]");
}

TEST_F(LibraryTest, launches_and_copies_pass_through_the_workspace) {
  float inputs[4][8], y[4][8];
  for (int i = 0; i < 32; ++i)
    inputs[i / 8][i % 8] = i % 5 - 2.0f;
  std::memset(y, 0xff, sizeof(y));
  std::vector<int64_t> dims = {2, 8}, both = {4, 8};
  tg_tensor_t x = tensor(inputs[0], dims);
  tg_tensor_t z = tensor(inputs[2], dims);
  tg_tensor_t output = tensor(y[0], both);
  ASSERT_EQ(host->run(library->find("relu_twice"), {x, z}, output), TG_OK)
      << host->error.message;
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(y[i / 8][i % 8], std::max(inputs[i / 8][i % 8], 0.0f)) << i;
}

TEST_F(LibraryTest, bad_index_names_location_and_element) {
  ASSERT_EQ(host->run(library->find("init"), {}, {}), TG_OK);
  int32_t index[5] = {0, 7, 3, 9, -1};
  float y[5];
  std::vector<int64_t> three = {3}, five = {5};
  const tg_function_t *lookup = library->find("lookup");
  ASSERT_EQ(host->run(lookup, tensor(index, three), tensor(y, three)), TG_OK)
      << host->error.message;
  EXPECT_EQ(y[1], 7.0f);
  EXPECT_EQ(host->run(lookup, tensor(index, five), tensor(y, five)),
            TG_ERROR_INDEX);
  EXPECT_STREQ(host->error.message,
               "model.mlir:12:8: tg.gather in 'embedding': index 9 at element "
               "3 is out of range, expected at least 0 and below 8 [R1]");
  EXPECT_EQ(host->error.element, 3);
  EXPECT_EQ(host->error.variables_changed, 0u);
}

/// A parallel_for callback that always fails.
int32_t refuse(void *, int64_t, tg_body_fn *, void *) { return 1; }

TEST_F(LibraryTest, failed_host_is_reported) {
  std::vector<float> x(8 * 4096), y(2 * 8 * 4096);
  std::vector<int64_t> dims = {4096, 8}, both = {8192, 8};
  tg_parallel_t parallel = {sizeof(parallel), 2, nullptr, refuse};
  tg_tensor_t input = tensor(x.data(), dims);
  EXPECT_EQ(host->run(library->find("relu_twice"), {input, input},
                      tensor(y.data(), both), &parallel),
            TG_ERROR_HOST);
  EXPECT_STREQ(host->error.message,
               "relu_twice: the host's parallel_for failed");
}

TEST_F(LibraryTest, too_small_a_workspace_is_refused) {
  std::vector<float> x(8 << 14), y(16 << 14);
  std::vector<int64_t> dims = {1 << 14, 8}, both = {2 << 14, 8};
  tg_tensor_t input = tensor(x.data(), dims);
  EXPECT_EQ(host->run(library->find("relu_twice"), {input, input},
                      tensor(y.data(), both)),
            TG_ERROR_SIZE);
}

TEST_F(LibraryTest, every_level_that_the_cpu_has_has_its_table) {
  for (uint32_t level = 2; level <= std::min(realIsaLevel(), 4u); ++level) {
    const tg_model_t *model = library->model(level);
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(model->target, level);
    EXPECT_EQ(model->targets, 0x1cu);
  }
  EXPECT_EQ(library->model(7), nullptr);
  EXPECT_EQ(library->status, TG_ERROR_NOT_FOUND);
}

TEST_F(LibraryTest, levels_that_the_cpu_lacks_are_refused) {
  for (const LesserCpu &cpu : lesserCpus()) {
    SCOPED_TRACE("a CPU " + cpu.name);
    uint32_t most = cpu.level;
    for (uint32_t level : {0, 2, 3, 4}) {
      const tg_model_t *model = nullptr;
      EXPECT_GT(callOn(cpu, [&] { model = library->model(level); }), 0);
      bool runs = level ? level <= most : most >= 2;
      EXPECT_EQ(library->status, runs ? TG_OK : TG_ERROR_TARGET);
      EXPECT_EQ(model ? model->target : 0, !runs ? 0 : level ? level : most);
    }
  }
}

/// Returns the text of a function with one unknown extent, an input x and no
/// launches.
std::string functionText(const std::string &computed, unsigned count,
                         const std::string &body) {
  std::string symbols = "\"n\"";
  for (unsigned number = 0; number < count; ++number)
    symbols += ", \"c" + std::to_string(number) + "\"";
  return "tgx.function @f attributes {role = \"\", symbols = [" + symbols +
         "], computed = affine_map<()[s0] -> (" + computed +
         ")>, inputs = [{name = \"x\", type = tensor<?xf32>, extents = "
         "affine_map<()[s0] -> (s0)>}], outputs = []} {" +
         body + "}";
}

TEST(LibraryProgramTest, computes_extents_of_every_kind) {
  std::vector<char> file =
      compile(functionText("s0 * 3 + (s0 * 5 + (s0 mod 4 + 7)), s0 floordiv 3, "
                           "(s0 + 4) ceildiv 3, (s0 floordiv 5) mod 3",
                           4, ""),
              {});
  Loaded library(file);
  Host host(library.model());
  for (int64_t n : {0, 1, 2, 3, 17, 1000}) {
    std::vector<int64_t> symbols = {n, 0, 0, 0, 0};
    EXPECT_GE(host.plan(library.find("f"), symbols), 64);
    EXPECT_EQ(symbols[1], n * 3 + n * 5 + n % 4 + 7);
    EXPECT_EQ(symbols[2], n / 3);
    EXPECT_EQ(symbols[3], (n + 4 + 2) / 3);
    EXPECT_EQ(symbols[4], n / 5 % 3);
  }
}

TEST(LibraryProgramTest, more_buffers_lie_below_one_than_are_remembered) {
  std::string body, above;
  for (int id = 0; id < 300; ++id) {
    std::string number = std::to_string(id);
    body += "%b" + number + " = tgx.workspace " + number +
            " [s0] -> (s0 * 4) above [] : tensor<?xf32>\n";
    above += (id ? ", " : "") + number;
  }
  body += "%top = tgx.workspace 300 [s0] -> (s0 * 8) above [" + above +
          "] : tensor<?xf32>\n";
  std::vector<char> file = compile(functionText("", 0, body), {});
  Loaded library(file);
  Host host(library.model());
  std::vector<int64_t> symbols = {0};
  int64_t header = host.plan(library.find("f"), symbols);
  symbols = {100};
  EXPECT_EQ(host.plan(library.find("f"), symbols), header + 448 + 832);
}

TEST(LibraryErrorTest, levels_say_once_what_is_wrong) {
  std::string messages;
  EXPECT_TRUE(compile(R"mlir(
    tgx.kernel @lost custom(%x: tensor<8xf32>) {
      %y = tg.softmax %x {axis = 0} : tensor<8xf32>
      tgx.yield %y : tensor<8xf32>
    }
    tgx.function @f attributes {role = "", symbols = [], computed = affine_map<() -> ()>,
        inputs = [{name = "x", type = tensor<8xf32>, extents = affine_map<() -> (8)>}],
        outputs = [{name = "y", type = tensor<8xf32>, extents = affine_map<() -> (8)>}]} {
      %x = tgx.input 0 : tensor<8xf32>
      %y = tgx.output 0 : tensor<8xf32>
      tgx.launch @lost(%x) into (%y)
          : tensor<8xf32> into tensor<8xf32>
    })mlir",
                      {}, &messages)
                  .empty());
  EXPECT_EQ(messages, "'tgx.kernel' op expected an op with an emitter of its "
                      "own, found none\n");
}

TEST(LibraryErrorTest, more_unknown_extents_than_tables_hold) {
  std::string symbols = "\"s0\"", dims = "s0", inputs;
  for (int i = 1; i < 1025; ++i) {
    symbols += ", \"s" + std::to_string(i) + "\"";
    dims += ", s" + std::to_string(i);
  }
  for (int i = 0; i < 1025; ++i)
    inputs += std::string(i ? ", " : "") + "{name = \"x" + std::to_string(i) +
              "\", type = tensor<?xf32>, extents = affine_map<()[" + dims +
              "] -> (s" + std::to_string(i) + ")>}";
  std::string messages;
  EXPECT_TRUE(compile("tgx.function @f attributes {role = \"\", symbols = [" +
                          symbols + "], computed = affine_map<()[" + dims +
                          "] -> ()>, inputs = [" + inputs +
                          "], outputs = []} {}",
                      {}, &messages)
                  .empty());
  EXPECT_EQ(messages,
            "'tgx.function' op expected at most 1024 unknown extents, "
            "found 1025\n");
}

} // namespace
