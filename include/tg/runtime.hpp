/// C++ over libtgrt: load a model, run its functions by names, keep its state.
/// Header-only; needs tg/runtime.h and libtgrt alone. Failures are thrown as
/// tg::RuntimeError. Include <dlpack/dlpack.h> before to pass DLTensor *.
///
///   tg::Model model = tg::Model::load("digits.so");
///   tg::Context context = model.context({.threads = 2, .seed = 1});
///   double loss = context.run("train", {{"image", image}, {"label", label},
///                                       {"learning_rate", 1e-3}})
///                     .scalar("loss");
///   context.save("digits.safetensors");
#ifndef TG_RUNTIME_HPP
#define TG_RUNTIME_HPP

#include "runtime_values.hpp"

#include <initializer_list>
#include <memory>
#include <optional>

namespace tg {

/// How a context runs.
struct ContextOptions {
  /// 1: on the calling thread; 0: one per usable CPU; else a pool of so many.
  uint32_t threads = 1;
  /// Initializes the variables; of no effect for a model that has none.
  /// Throws TG_ERROR_NOT_FOUND for a model with variables and without an
  /// initializing function. Without a seed: load, import or set them.
  std::optional<int64_t> seed = {};
  /// No variables of its own: reads those that Model::publish published.
  bool shared = false;
};

class Model;

/// Variables and workspace. One thread at a time; keeps its model loaded.
class Context {
public:
  Context(Context &&) = default;
  /// The old context ends before the pool and the model that it uses.
  Context &operator=(Context &&other) noexcept {
    context = std::move(other.context);
    pool = std::move(other.pool);
    module = std::move(other.module);
    workers = other.workers;
    results = std::move(other.results);
    return *this;
  }

  /// Runs a function. The answer is valid until this context runs the same
  /// function again; a copy of it is valid for ever. Grows the workspace when
  /// a larger shape comes.
  const Outputs &run(std::string_view function,
                     std::initializer_list<Input> inputs) {
    return run(function, std::vector<Input>(inputs));
  }
  const Outputs &run(std::string_view function, std::vector<Input> inputs);

  /// Gives all variables values from one seed. TG_ERROR_NOT_FOUND if the model
  /// has no function that does.
  void init(int64_t seed) {
    detail::check(tg_context_init, context.get(), seed);
  }

  /// All variables as a safetensors file.
  void save(const std::string &path) const {
    detail::check(tg_context_save_variables,
                  static_cast<const tg_context_t *>(context.get()),
                  path.c_str());
  }
  void load(const std::string &path) {
    detail::check(tg_context_load_variables, context.get(), path.c_str());
  }

  /// A copy of a variable's elements.
  template <typename T> std::vector<T> get(std::string_view variable) const;
  /// Sets a variable's elements, in row-major order.
  template <typename T>
  void set(std::string_view variable, const std::vector<T> &elements);

  /// The C object, owned by this one.
  tg_context_t *handle() const { return context.get(); }

private:
  friend class Model;
  struct Destroy {
    void operator()(tg_module_t *module) const {
      tg_module_unload(module, nullptr);
    }
    void operator()(tg_context_t *context) const {
      tg_context_destroy(context);
    }
    void operator()(tg_pool_t *pool) const { tg_pool_destroy(pool, nullptr); }
  };

  Context(std::shared_ptr<tg_module_t> loaded, const ContextOptions &options);
  const tg_model_t &model() const { return *tg_module_model(module.get()); }
  uint32_t findVariable(std::string_view name) const;
  static void bind(const tg_value_t &value, Value &given,
                   std::vector<int64_t> &symbols);
  static void inferShape(const tg_value_t &value, Value &given,
                         const std::vector<int64_t> &symbols);
  std::vector<tg_tensor_t> prepareInputs(const tg_function_t &function,
                                         std::vector<Input> &inputs,
                                         std::vector<int64_t> &symbols);
  std::vector<tg_tensor_t> prepareOutputs(const tg_function_t &function,
                                          const std::vector<int64_t> &symbols,
                                          Outputs &into);

  std::shared_ptr<tg_module_t> module;
  std::unique_ptr<tg_pool_t, Destroy> pool;
  std::unique_ptr<tg_context_t, Destroy> context;
  uint32_t workers = 1;
  std::vector<Outputs> results; // by function
};

/// A loaded model. Copies share it; any thread.
class Model {
public:
  /// Checks and loads a model file, for this CPU or for one TG_TARGET_.
  static Model load(const std::string &path, uint32_t target = TG_TARGET_BEST) {
    tg_load_options_t options = {};
    options.struct_size = sizeof(options);
    options.target = target;
    tg_module_t *module = nullptr;
    detail::check(tg_module_load, path.c_str(),
                  static_cast<const tg_load_options_t *>(&options), &module);
    return Model(module);
  }

  /// Takes a model that is linked into the program.
  static Model adopt(tg_model_get_fn *get) {
    tg_module_t *module = nullptr;
    detail::check(tg_module_adopt, get,
                  static_cast<const tg_load_options_t *>(nullptr), &module);
    return Model(module);
  }

  Context context(const ContextOptions &options = {}) const {
    return Context(module, options);
  }

  /// Gives all shared contexts the weights of this one, in one atomic step.
  void publish(const Context &source) const {
    detail::check(tg_module_publish, module.get(),
                  static_cast<const tg_context_t *>(source.handle()));
  }

  /// Functions, variables and sizes.
  const tg_model_t &tables() const { return *tg_module_model(module.get()); }

private:
  explicit Model(tg_module_t *loaded) : module(loaded, Context::Destroy()) {}

  std::shared_ptr<tg_module_t> module;
};

inline Context::Context(std::shared_ptr<tg_module_t> loaded,
                        const ContextOptions &options)
    : module(std::move(loaded)) {
  tg_context_options_t made = {};
  made.struct_size = sizeof(made);
  made.flags = options.shared ? uint32_t(TG_CONTEXT_SHARED) : 0;
  if (options.threads != 1) {
    tg_pool_t *created = nullptr;
    detail::check(tg_pool_create, options.threads, &created);
    pool.reset(created);
    made.parallel = tg_pool_parallel(created);
    workers = made.parallel->worker_count;
  }
  tg_context_t *created = nullptr;
  detail::check(tg_context_create, module.get(),
                static_cast<const tg_context_options_t *>(&made), &created);
  context.reset(created);
  results.resize(model().function_count);
  if (options.seed && model().variable_count)
    init(*options.seed);
}

inline uint32_t Context::findVariable(std::string_view name) const {
  uint32_t index = 0;
  detail::check(tg_module_find_variable,
                static_cast<const tg_module_t *>(module.get()),
                std::string(name).c_str(), &index);
  return index;
}

template <typename T>
std::vector<T> Context::get(std::string_view variable) const {
  const uint32_t index = findVariable(variable);
  const tg_variable_t &entry = *model().variables[index];
  const std::span<const int64_t> dims(entry.dims, entry.rank);
  std::vector<T> elements(detail::count(dims));
  Value value(elements, {dims.begin(), dims.end()});
  value.tensor.ndim = static_cast<int32_t>(entry.rank);
  value.tensor.shape = value.dims.data();
  detail::check(tg_context_get_variable,
                static_cast<const tg_context_t *>(context.get()), index,
                static_cast<const tg_tensor_t *>(&value.tensor));
  return elements;
}

template <typename T>
void Context::set(std::string_view variable, const std::vector<T> &elements) {
  const uint32_t index = findVariable(variable);
  const tg_variable_t &entry = *model().variables[index];
  const std::span<const int64_t> dims(entry.dims, entry.rank);
  if (elements.size() != detail::count(dims))
    throw RuntimeError(TG_ERROR_DIM, "variable '" + std::string(variable) +
                                         "' has another number of elements");
  Value value(elements, {dims.begin(), dims.end()});
  value.tensor.ndim = static_cast<int32_t>(entry.rank);
  value.tensor.shape = value.dims.data();
  detail::check(tg_context_set_variable, context.get(), index,
                static_cast<const tg_tensor_t *>(&value.tensor));
}

/// Binds the symbols of an input whose shape is known. What does not fit is
/// left to the checks of the run.
inline void Context::bind(const tg_value_t &value, Value &given,
                          std::vector<int64_t> &symbols) {
  for (uint32_t i = 0; i < value.rank && i < given.dims.size(); ++i) {
    const int64_t dim = value.dims[i];
    if (dim < 0 && symbols[static_cast<size_t>(-1 - dim)] < 0)
      symbols[static_cast<size_t>(-1 - dim)] = given.dims[i];
  }
}

/// Gives flat elements the shape of the input they are for.
inline void Context::inferShape(const tg_value_t &value, Value &given,
                                const std::vector<int64_t> &symbols) {
  size_t known = 1, open = 0;
  given.dims.clear();
  for (uint32_t i = 0; i < value.rank; ++i) {
    const int64_t dim = tg_dim(value.dims[i], symbols.data());
    given.dims.push_back(dim);
    if (dim < 0)
      ++open;
    else
      known *= static_cast<size_t>(dim);
  }
  const bool fits = open == 0
                        ? known == given.elements
                        : open == 1 && known && given.elements % known == 0;
  if (!fits)
    throw RuntimeError(TG_ERROR_DIM,
                       "'" + std::string(value.name) + "' has " +
                           std::to_string(given.elements) +
                           " elements, which make no shape of it");
  for (int64_t &dim : given.dims)
    if (dim < 0)
      dim = static_cast<int64_t>(given.elements / known);
}

inline std::vector<tg_tensor_t>
Context::prepareInputs(const tg_function_t &function,
                       std::vector<Input> &inputs,
                       std::vector<int64_t> &symbols) {
  std::vector<Value *> given(function.input_count);
  for (uint32_t i = 0; i < function.input_count; ++i) {
    for (Input &input : inputs)
      if (input.name == function.inputs[i]->name)
        given[i] = &input.value;
    if (!given[i])
      throw RuntimeError(TG_ERROR_NOT_FOUND,
                         std::string(function.name) + ": no input '" +
                             function.inputs[i]->name + "' was given");
    bind(*function.inputs[i], *given[i], symbols);
  }
  if (inputs.size() != function.input_count)
    throw RuntimeError(
        TG_ERROR_COUNT,
        std::string(function.name) + ": " + std::to_string(inputs.size()) +
            " inputs, expected " + std::to_string(function.input_count));
  std::vector<tg_tensor_t> tensors;
  for (uint32_t i = 0; i < function.input_count; ++i) {
    const tg_value_t &value = *function.inputs[i];
    Value &from = *given[i];
    if (from.kind == Value::Kind::Number)
      from.convert(value.dtype, value.name);
    if (from.kind == Value::Kind::Flat) {
      inferShape(value, from, symbols);
      bind(value, from, symbols);
    }
    if (from.kind == Value::Kind::Shaped &&
        detail::count(from.dims) != from.elements)
      throw RuntimeError(TG_ERROR_DIM, "'" + std::string(value.name) +
                                           "' has not as many elements as its "
                                           "shape");
    if (from.kind != Value::Kind::Tensor) {
      from.tensor.ndim = static_cast<int32_t>(from.dims.size());
      from.tensor.shape = from.dims.data();
    }
    tensors.push_back(from.tensor);
  }
  return tensors;
}

inline std::vector<tg_tensor_t>
Context::prepareOutputs(const tg_function_t &function,
                        const std::vector<int64_t> &symbols, Outputs &into) {
  into.outputs.resize(function.output_count);
  std::vector<tg_tensor_t> tensors;
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    Outputs::Output &output = into.outputs[i];
    output.name = value.name;
    output.dtype = value.dtype;
    output.dims.clear();
    for (uint32_t d = 0; d < value.rank; ++d)
      output.dims.push_back(tg_dim(value.dims[d], symbols.data()));
    output.bytes.resize(detail::count(output.dims) * (value.dtype.bits / 8));
    tg_tensor_t tensor = Value::over<char>(output.bytes.data());
    tensor.dtype = value.dtype;
    tensor.ndim = static_cast<int32_t>(value.rank);
    tensor.shape = output.dims.data();
    tensors.push_back(tensor);
  }
  return tensors;
}

inline const Outputs &Context::run(std::string_view name,
                                   std::vector<Input> inputs) {
  uint32_t index = 0;
  detail::check(tg_module_find_function,
                static_cast<const tg_module_t *>(module.get()),
                std::string(name).c_str(), &index);
  const tg_function_t &function = *model().functions[index];
  // One more, so that a function without symbols has an array too.
  std::vector<int64_t> symbols(function.symbol_total + 1, -1);
  const std::vector<tg_tensor_t> in = prepareInputs(function, inputs, symbols);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.worker_count = workers;
  plan.symbols = symbols.data();
  detail::check(function.plan, &function, &plan);
  Outputs &result = results[index];
  const std::vector<tg_tensor_t> out =
      prepareOutputs(function, symbols, result);

  tg_error_t error = {};
  error.struct_size = sizeof(error);
  const auto attempt = [&] {
    return tg_context_run(context.get(), index, in.data(), function.input_count,
                          out.data(), function.output_count, &error);
  };
  tg_status_t status = attempt();
  if (status == TG_ERROR_SIZE) {
    detail::check(tg_context_reserve, context.get(), index,
                  static_cast<const int64_t *>(symbols.data()));
    status = attempt();
  }
  if (status != TG_OK)
    throw RuntimeError(error);
  return result;
}

} // namespace tg

#endif // TG_RUNTIME_HPP
