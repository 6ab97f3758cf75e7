/// Checks that a checkpoint is either loaded completely or refused with a
/// message and without any change. The model is the runtime's unmodified
/// fixture.
#include "MemoryFile.h"

#include "tg/runtime.h"

#include <cstring>
#include <vector>

using namespace tg::fuzz;

namespace {
struct Fixture {
  tg_module_t *module = nullptr;
  tg_context_t *context = nullptr;
  std::vector<uint8_t> variables;

  Fixture() {
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    const tg_context_options_t options = {sizeof(options), 0,       nullptr,
                                          nullptr,         nullptr, nullptr};
    expect(tg_module_load(TG_LINE_SO, nullptr, &module, &error) == TG_OK &&
               tg_context_create(module, &options, &context, &error) == TG_OK &&
               tg_context_init(context, 1, &error) == TG_OK,
           "the fixture to run");
    variables.resize(tg_module_model(module)->slab_bytes);
    variables = content();
  }

  std::vector<uint8_t> content() {
    std::vector<uint8_t> block(variables.size());
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    expect(tg_context_export_variables(context, block.data(), block.size(),
                                       &error) == TG_OK,
           "variables to look at");
    return block;
  }
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static Fixture fixture;
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  const tg_status_t status = tg_context_load_variables(
      fixture.context, memoryFile(bytes, size), &error);
  if (status == TG_OK) {
    fixture.variables = fixture.content();
    return 0;
  }
  expect(error.message[0] != '\0', "a sentence");
  expect(strnlen(error.message, sizeof(error.message)) < sizeof(error.message),
         "a sentence that ends");
  expect(fixture.content() == fixture.variables, "nothing to change");
  return 0;
}
