/// Sets up the fixture model.
#include "Line.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tg::test;

tg_model_get_fn *tg::test::lineGetter() {
  const char *other = std::getenv("TG_TEST_LINE");
  if (!other)
    return line_tg_model_get;
  void *library = dlopen(other, RTLD_NOW | RTLD_LOCAL);
  auto *getter = library ? reinterpret_cast<tg_model_get_fn *>(
                               dlsym(library, "line_tg_model_get"))
                         : nullptr;
  if (!getter) // a fault that was not planted must not count as detected
    std::_Exit(3);
  return getter;
}

void LineTest::SetUp() {
  for (int i = 0; i < batch; ++i) {
    target[i] = 0;
    for (int j = 0; j < LINE_WIDTH; ++j) {
      float &element = x[i * LINE_WIDTH + j];
      element = static_cast<float>((i * 7 + j * 13) % 17) / 17 - 0.4f;
      target[i] += static_cast<float>(j) * element;
    }
  }
  ASSERT_EQ(tg_module_load(linePath.c_str(), nullptr, &module, &error), TG_OK)
      << error.message;
  context = createContext();
  ASSERT_NE(context, nullptr);
}

void LineTest::TearDown() {
  tg_context_destroy(context);
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK) << error.message;
}

tg_context_t *LineTest::createContext(uint32_t flags,
                                      const tg_parallel_t *parallel) {
  tg_context_options_t options = {sizeof(options), flags,   parallel,
                                  nullptr,         nullptr, nullptr};
  tg_context_t *created = nullptr;
  EXPECT_EQ(tg_context_create(module, &options, &created, &error), TG_OK)
      << error.message;
  const tg_model_t *model = tg_module_model(module);
  const int64_t symbols[2] = {batch, batch};
  for (uint32_t i = 0; created && i < model->function_count; ++i)
    EXPECT_EQ(tg_context_reserve(created, i, symbols, &error), TG_OK)
        << error.message;
  return created;
}

tg_status_t LineTest::train(tg_context_t *on) {
  const tg_tensor_t inputs[] = {f32(x.data(), xDims),
                                f32(target.data(), rowDims), f32(&rate, none)};
  const tg_tensor_t output = f32(&loss, none);
  return tg_context_run(on, function("train"), inputs, 3, &output, 1, &error);
}

tg_status_t LineTest::test(tg_context_t *on) {
  const tg_tensor_t input = f32(x.data(), xDims);
  const tg_tensor_t output = f32(y.data(), rowDims);
  return tg_context_run(on, function("test"), &input, 1, &output, 1, &error);
}

uint32_t LineTest::function(const char *name) {
  uint32_t index = 0;
  EXPECT_EQ(tg_module_find_function(module, name, &index, &error), TG_OK);
  return index;
}

std::vector<uint8_t> LineTest::variables(const tg_context_t *of) {
  std::vector<uint8_t> block(LINE_SLAB_BYTES);
  EXPECT_EQ(tg_context_export_variables(of, block.data(), block.size(), &error),
            TG_OK)
      << error.message;
  block.erase(block.begin(), block.begin() + sizeof(tg_slab_header_t));
  return block;
}
