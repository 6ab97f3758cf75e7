/// Tests `pack` of a library, which converts weights to another layout.
#include "LibraryHarness.h"
#include "gtest/gtest.h"

using namespace tg;
using namespace tg::test;

namespace {

const char *const kPackModel = R"mlir(
module @product {
  tg.variable @w {trainable} : tensor<4x40xf32>
  tgx.kernel @copy loop(%x: tensor<4x40xf32>) {
    %y = tg.neg %x : tensor<4x40xf32>
    tgx.yield %y : tensor<4x40xf32>
  }
  tgx.kernel @pack custom(%w: tensor<4x40xf32>) {
    %panels = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    tgx.yield %panels : tensor<1x4x64xf32>
  }
  tgx.kernel @product contraction[s0](%x: tensor<?x4xf32> [s0, 4],
      %panels: tensor<1x4x64xf32>) {
    %w = tgx.unpack %panels as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
    %y = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x40xf32>) -> tensor<?x40xf32>
    tgx.yield %y : tensor<?x40xf32>
  }
  tgx.function @init attributes {role = "init", symbols = [], computed = affine_map<() -> ()>,
      inputs = [], outputs = []} {
    %w = tgx.slab @w : tensor<4x40xf32>
    %one = tgx.constant dense<1.> : tensor<4x40xf32> -> tensor<4x40xf32>
    tgx.copy %one to %w [] -> (640) : tensor<4x40xf32> to tensor<4x40xf32>
  }
  tgx.function @negate attributes {role = "train", symbols = [], computed = affine_map<() -> ()>,
      inputs = [], outputs = []} {
    %w = tgx.slab @w : tensor<4x40xf32>
    tgx.launch @copy(%w) into (%w)
        : tensor<4x40xf32> into tensor<4x40xf32>
  }
  tgx.function @test attributes {role = "test", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
      inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
      outputs = [{name = "y", type = tensor<?x40xf32>, extents = affine_map<()[s0] -> (s0, 40)>}]} {
    %x = tgx.input 0 : tensor<?x4xf32>
    %panels = tgx.packed @w by @pack : tensor<1x4x64xf32>
    %y = tgx.output 0 : tensor<?x40xf32>
    tgx.launch @product(%x, %panels) into (%y) [s0] -> (s0)
        : tensor<?x4xf32>, tensor<1x4x64xf32> into tensor<?x40xf32>
  }
}
)mlir";

tg_status_t pack(Host &host) {
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.slab = host.slab;
  call.slab_bytes = sizeof(host.slab);
  call.packed = host.packed;
  call.packed_bytes = sizeof(host.packed);
  call.error = &host.error;
  return host.model->pack(host.model, &call);
}

TEST(PackTest, packed_weights_are_used_and_not_when_they_are_old) {
  Loaded library(compile(kPackModel, {}));
  for (uint32_t level : {2, 3, 4}) {
    const tg_model_t *model = library.model(level);
    if (!model)
      continue;
    ASSERT_EQ(model->packed_bytes, 64u + 1 * 4 * 64 * sizeof(float));
    Host host(model);
    const tg_function_t *init = model->functions[0],
                        *negate = model->functions[1],
                        *test = model->functions[2];
    EXPECT_EQ(test->flags,
              uint32_t(TG_FUNCTION_USES_PACKED | TG_FUNCTION_TRACES));
    float x[3][4] = {{1, 2, 3, 4}, {0, 1, 0, 1}, {5, 0, 0, 0}}, y[3][40];
    std::vector<int64_t> in = {3, 4}, out = {3, 40};
    tg_tensor_t input = tensor(x[0], in);
    tg_tensor_t output = tensor(y[0], out);
    ASSERT_EQ(host.run(init, {}, {}), TG_OK) << host.error.message;
    EXPECT_EQ(host.run(test, input, output), TG_ERROR_PACKED);
    ASSERT_EQ(pack(host), TG_OK) << host.error.message;
    ASSERT_EQ(host.run(test, input, output), TG_OK) << host.error.message;
    EXPECT_EQ(y[0][0], 10.0f);
    EXPECT_EQ(y[2][39], 5.0f);
    ASSERT_EQ(host.run(negate, {}, {}), TG_OK) << host.error.message;
    EXPECT_EQ(host.run(test, input, output), TG_ERROR_PACKED);
    ASSERT_EQ(pack(host), TG_OK) << host.error.message;
    ASSERT_EQ(host.run(test, input, output), TG_OK) << host.error.message;
    EXPECT_EQ(y[1][33], -2.0f);
  }
}

} // namespace
