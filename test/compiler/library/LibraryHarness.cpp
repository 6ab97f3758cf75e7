#include "LibraryHarness.h"
#include "compiler/codegen/Backend.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tg::test;

const char *const tg::test::kCounterModel = R"mlir(
module @counter {
  tg.variable @step {role = "step"} : tensor<i64>
  tg.variable @w {trainable} : tensor<8xf32>
  tg.variable @w_m {slot_of = @w} : tensor<8xf32>
  tg.variable @unused : tensor<5xf32>

  tgx.kernel @relu loop[s0](%x: tensor<?x8xf32> [s0, 8]) {
    %y = tg.relu %x : tensor<?x8xf32>
    tgx.yield %y : tensor<?x8xf32>
  }
  tgx.kernel @join loop[s0, s1](%x: tensor<?x8xf32> [s0, 8], %z: tensor<?x8xf32> [s1, 8]) {
    %y = tg.concat %x, %z {axis = 0} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    tgx.yield %y : tensor<?x8xf32>
  }
  tgx.kernel @advance loop(%x: tensor<i64>, %by: tensor<i64>) {
    %y = tg.add %x, %by : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tgx.yield %y : tensor<i64>
  }
  tgx.kernel @find loop[s0](%table: tensor<8xf32>, %index: tensor<?xi32> [s0]) {
    %good = tgx.check_index %index below [s0] -> (8)
        {op_name = "tg.gather"} : tensor<?xi32>
        loc("embedding"("model.mlir":12:8))
    %y = tg.gather %table, %good : (tensor<8xf32>, tensor<?xi32>) -> tensor<?xf32>
    tgx.yield %y : tensor<?xf32>
  }

  tgx.function @init attributes {role = "init", symbols = [],
      computed = affine_map<() -> ()>, inputs = [], outputs = []} {
    %w = tgx.slab @w : tensor<8xf32>
    %start = tgx.constant dense<[0., 1., 2., 3., 4., 5., 6., 7.]> : tensor<8xf32> -> tensor<8xf32>
    tgx.copy %start to %w [] -> (32) : tensor<8xf32> to tensor<8xf32>
  }
  tgx.function @count attributes {role = "train", symbols = [],
      computed = affine_map<() -> ()>, inputs = [],
      outputs = [{name = "step", type = tensor<i64>, extents = affine_map<() -> ()>}]} {
    %step = tgx.slab @step : tensor<i64>
    %m = tgx.slab @w_m : tensor<8xf32>
    %one = tgx.constant dense<1> : tensor<i64> -> tensor<i64>
    %out = tgx.output 0 : tensor<i64>
    tgx.launch @advance(%step, %one) into (%step)
        : tensor<i64>, tensor<i64> into tensor<i64>
    tgx.copy %step to %out [] -> (8) : tensor<i64> to tensor<i64>
  }
  tgx.function @relu_twice attributes {role = "", symbols = ["batch", "other", "y.0"],
      computed = affine_map<()[s0, s1] -> (s0 + s1)>,
      inputs = [{name = "x", type = tensor<?x8xf32>, extents = affine_map<()[s0, s1] -> (s0, 8)>},
                {name = "z", type = tensor<?x8xf32>, extents = affine_map<()[s0, s1] -> (s1, 8)>}],
      outputs = [{name = "y", type = tensor<?x8xf32>, extents = affine_map<()[s0, s1] -> (s0 + s1, 8)>}]} {
    tgx.entry_check "dim 0 of x" [s0, s1] -> (s0) expected [s0, s1] -> (s1) {op_name = "tg.same"}
        loc("model.mlir":3:4)
    tgx.entry_check "extent" [s0, s1] -> (s0 * 2) expected at_most [s0, s1] -> (100000) {op_name = "tg.slice"} loc(unknown)
    %x = tgx.input 0 : tensor<?x8xf32>
    %z = tgx.input 1 : tensor<?x8xf32>
    %a = tgx.workspace 0 [s0, s1] -> (s0 * 32) above [] : tensor<?x8xf32>
    %b = tgx.workspace 1 [s0, s1] -> ((s0 + s1) * 32) above [0] : tensor<?x8xf32>
    %y = tgx.output 0 : tensor<?x8xf32>
    %both = tgx.view %b : tensor<?x8xf32> -> tensor<?x8xf32>
    tgx.launch @relu(%x) into (%a) [s0, s1] -> (s0)
        : tensor<?x8xf32> into tensor<?x8xf32>
    tgx.launch @join(%a, %z) into (%both) [s0, s1] -> (s0, s1)
        : tensor<?x8xf32>, tensor<?x8xf32> into tensor<?x8xf32>
    tgx.copy %both to %y [s0, s1] -> ((s0 + s1) * 32) : tensor<?x8xf32> to tensor<?x8xf32>
    tgx.launch @relu(%both) into (%y) [s0, s1] -> (s0 + s1)
        : tensor<?x8xf32> into tensor<?x8xf32>
  }
  tgx.function @lookup attributes {role = "test", symbols = ["batch"],
      computed = affine_map<()[s0] -> ()>,
      inputs = [{name = "index", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>}],
      outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
    %index = tgx.input 0 : tensor<?xi32>
    %w = tgx.slab @w : tensor<8xf32>
    %y = tgx.output 0 : tensor<?xf32>
    tgx.launch @find(%w, %index) into (%y) [s0] -> (s0)
        : tensor<8xf32>, tensor<?xi32> into tensor<?xf32>
  }
}
)mlir";

std::vector<char> tg::test::compile(llvm::StringRef text,
                                    const LibraryOptions &options,
                                    std::string *messages,
                                    BuildRecord *record) {
  mlir::DialectRegistry registry;
  registry.insert<tg::TgDialect, tgx::TgxDialect>();
  for (const Backend *backend : getBackends())
    backend->registerDialects(registry);
  mlir::MLIRContext context(registry);
  std::string collected;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          collected += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  std::vector<char> result;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  llvm::SmallVector<char, 0> file;
  BuildRecord work;
  if (module && mlir::succeeded(buildLibrary(*module, options, file, work)))
    result.assign(file.begin(), file.end());
  if (record)
    *record = std::move(work);
  if (messages)
    *messages = collected;
  else
    EXPECT_EQ(collected, "");
  return result;
}

Loaded::Loaded(llvm::ArrayRef<char> file, const char *symbol) {
  descriptor = memfd_create("model", MFD_CLOEXEC);
  EXPECT_EQ(write(descriptor, file.data(), file.size()), ssize_t(file.size()));
  std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    ADD_FAILURE() << dlerror();
    return;
  }
  *reinterpret_cast<void **>(&get) = dlsym(handle, symbol);
  EXPECT_NE(get, nullptr);
}

Loaded::~Loaded() {
  if (handle)
    dlclose(handle);
  close(descriptor);
}

const tg_model_t *Loaded::model(uint32_t target) {
  const tg_model_t *result = nullptr;
  status = get ? get(TG_ABI_VERSION, target, &result) : TG_ERROR_LOAD;
  return result;
}

const tg_function_t *Loaded::find(const char *name) {
  const tg_model_t *table = model();
  for (uint32_t i = 0; table && i < table->function_count; ++i)
    if (std::strcmp(table->functions[i]->name, name) == 0)
      return table->functions[i];
  ADD_FAILURE() << "no function " << name;
  return nullptr;
}

Host::Host(const tg_model_t *model) : model(model) {
  error.struct_size = sizeof(error);
}

tg_status_t Host::run(const tg_function_t *function,
                      llvm::ArrayRef<tg_tensor_t> inputs,
                      llvm::ArrayRef<tg_tensor_t> outputs,
                      const tg_parallel_t *parallel) {
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.inputs = inputs.data();
  call.outputs = outputs.data();
  call.input_count = inputs.size();
  call.output_count = outputs.size();
  call.slab = slab;
  call.slab_bytes = sizeof(slab);
  call.workspace = workspace;
  call.workspace_bytes = sizeof(workspace);
  call.packed = packed;
  call.packed_bytes = sizeof(packed);
  call.parallel = parallel;
  call.error = &error;
  return function->run(function, &call);
}

int64_t Host::plan(const tg_function_t *function, std::vector<int64_t> &symbols,
                   uint32_t workers) {
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.worker_count = workers;
  plan.symbols = symbols.data();
  if (function->plan(function, &plan, &error) != TG_OK)
    return -1;
  return plan.workspace_bytes;
}

/// Returns a contiguous tensor on the CPU.
static tg_tensor_t makeTensor(void *data, tg_dtype_t dtype,
                              std::vector<int64_t> &dims) {
  return {data,  {TG_DEVICE_CPU, 0}, int32_t(dims.size()),
          dtype, dims.data(),        nullptr,
          0};
}

tg_tensor_t tg::test::tensor(float *data, std::vector<int64_t> &dims) {
  return makeTensor(data, {TG_DTYPE_FLOAT, 32, 1}, dims);
}
tg_tensor_t tg::test::tensor(int64_t *data, std::vector<int64_t> &dims) {
  return makeTensor(data, {TG_DTYPE_INT, 64, 1}, dims);
}
tg_tensor_t tg::test::tensor(int32_t *data, std::vector<int64_t> &dims) {
  return makeTensor(data, {TG_DTYPE_INT, 32, 1}, dims);
}
