/// The C++ interface of libtgrt: loads a model, runs its functions by names,
/// keeps its state. Header-only; needs only tg/runtime.h and libtgrt. Failures
/// are thrown as tg::RuntimeError. To pass DLTensor *, include
/// <dlpack/dlpack.h> before.
///
///   tg::Model model = tg::Model::load("digits.so");
///   tg::Context context = model.context({.threads = 2, .seed = 1});
///   double loss = context.run("train", {{"image", image}, {"label", label},
///                                       {"learning_rate", 1e-3}})
///                     .scalar("loss");
///   context.save("digits.safetensors");
#ifndef TG_RUNTIME_HPP
#define TG_RUNTIME_HPP

#include "runtime/objects.hpp"

#include <initializer_list>
#include <map>

namespace tg {

class Model;

/// Texts in the metadata of a checkpoint, by key.
using CheckpointEntries = std::map<std::string, std::string>;

/// The variables and the workspace of a model. Only one thread at a time may
/// use a context. A context keeps its model loaded. Within a run of the
/// context, in a host function or a print handler, its member functions throw
/// TG_ERROR_BUSY.
class Context {
public:
  Context(Context &&) = default;
  /// Destroys the old context before the objects and the model that it uses.
  Context &operator=(Context &&other) noexcept {
    context = std::move(other.context);
    host = std::move(other.host);
    prints = std::move(other.prints);
    pool = std::move(other.pool);
    variables = std::move(other.variables);
    workspace = std::move(other.workspace);
    module = std::move(other.module);
    results = std::move(other.results);
    call = std::move(other.call);
    isRunning = other.isRunning;
    return *this;
  }

  /// Runs a function. The result is valid until this context runs the same
  /// function again; a copy of it stays valid. Grows the workspace if the
  /// shapes need it.
  const Outputs &run(std::string_view function,
                     std::initializer_list<Input> inputs) {
    return run(function, std::vector<Input>(inputs));
  }
  const Outputs &run(std::string_view function, std::vector<Input> inputs) {
    return run(function, std::move(inputs), nullptr, nullptr);
  }
  /// The same, and records the begin and end of each step of the function.
  /// Throws TG_ERROR_NOT_FOUND for a library of a tgc that had no profiles yet.
  const Outputs &run(std::string_view function, std::vector<Input> inputs,
                     Profile &profile) {
    return run(function, std::move(inputs), &profile, nullptr);
  }
  /// The same, and passes the results of each step to `trace`. If that throws,
  /// it gets no further results, and the call throws the exception after the
  /// run. Throws TG_ERROR_NOT_FOUND for a library of a tgc without traces.
  const Outputs &run(std::string_view function, std::vector<Input> inputs,
                     const TraceFunction &trace) {
    return run(function, std::move(inputs), nullptr, &trace);
  }

  /// Begins a run. On a device the call returns once the run is enqueued, so
  /// that the thread may do other work until finish(). Functions that wait for
  /// the device in the middle, and all functions on a CPU, run within this
  /// call. Elements of inputs must not change until finish(), and until then
  /// the other member functions throw TG_ERROR_BUSY.
  void begin(std::string_view function, std::initializer_list<Input> inputs) {
    begin(function, std::vector<Input>(inputs));
  }
  void begin(std::string_view function, std::vector<Input> inputs);
  /// Waits for the end of the run that begin() began. Returns its result, as
  /// run() does. Throws the error of the run, and TG_ERROR_NOT_FOUND if there
  /// is no run. A context that is destroyed before waits, and drops the result.
  const Outputs &finish();

  /// Grows the workspace, so that the function runs with these extents of its
  /// symbols, and with smaller ones, without allocating memory.
  void
  reserve(std::string_view function,
          std::initializer_list<std::pair<std::string_view, int64_t>> symbols);

  /// Initializes all variables from one seed, or with the values in the
  /// library, and sets the seed of random numbers in functions. Throws
  /// TG_ERROR_NOT_FOUND if the model has no initializing function.
  void init(int64_t seed) {
    prints->thrown = nullptr;
    detail::check(tg_context_init, context.get(), seed);
    rethrowPrint();
  }

  /// Sets the seed of random numbers in functions that change no variable, and
  /// resets the count of their calls: after the same seed the same calls
  /// generate the same samples. A new context without a seed has the seed 0.
  void setSeed(int64_t seed) {
    detail::check(tg_context_set_seed, context.get(), seed);
  }

  /// Registers a host function that the model calls by this name. A later
  /// registration under the name replaces it.
  void registerHost(std::string name, HostFunction function) {
    addHost(Host().add(std::move(name), std::move(function)));
  }
  /// Sets the handler of the model's prints. Default: the log hook.
  void onPrint(PrintFunction function) {
    addHost(Host().onPrint(std::move(function)));
  }

  /// Saves all variables as a safetensors file.
  void save(const std::string &path) const {
    detail::check(tg_context_save_variables,
                  static_cast<const tg_context_t *>(context.get()),
                  path.c_str());
  }
  /// Loads a file that save() wrote. It must contain exactly the variables of
  /// the model. With options, loads checkpoints of other models and files of
  /// other programs.
  void load(const std::string &path, const LoadOptions &options = {});

  /// Returns all variables, including optimizer and random state, as one block
  /// for contexts of models with the same layout.
  std::vector<std::byte> snapshot() const {
    std::vector<std::byte> block(model().slab_bytes);
    detail::check(tg_context_export_variables,
                  static_cast<const tg_context_t *>(context.get()),
                  static_cast<void *>(block.data()),
                  static_cast<uint64_t>(block.size()));
    return block;
  }
  void restore(std::span<const std::byte> block) {
    detail::check(tg_context_import_variables, context.get(),
                  static_cast<const void *>(block.data()),
                  static_cast<uint64_t>(block.size()));
  }

  /// Returns a copy of a variable's elements.
  template <typename T> std::vector<T> get(std::string_view variable) const;
  /// Sets a variable's elements, in row-major order.
  template <typename T>
  void set(std::string_view variable, const std::vector<T> &elements);

  /// Returns the C object, owned by this object.
  tg_context_t *handle() const { return context.get(); }

private:
  friend class Model;
  struct Destroy {
    void operator()(tg_context_t *ended) const { tg_context_destroy(ended); }
  };

  Context(std::shared_ptr<tg_module_t> loaded, const ContextOptions &options);
  /// Registers the functions and the print handler of a Host, and keeps the
  /// Host.
  void addHost(Host added) {
    added.registerWith(context.get(), *prints);
    host.push_back(std::move(added));
  }
  /// A call of a function: its tensors, and the values that they refer to.
  struct Call {
    uint32_t index;
    std::vector<Input> inputs;
    std::vector<int64_t> symbols;
    std::vector<tg_tensor_t> in, out;
  };

  const Outputs &run(std::string_view function, std::vector<Input> inputs,
                     Profile *profile, const TraceFunction *trace);
  /// Prepares a call, with outputs in `results`. Throws TG_ERROR_BUSY within a
  /// run.
  std::unique_ptr<Call> prepare(std::string_view function,
                                std::vector<Input> inputs);
  /// Throws the error of a call, or an exception of a print handler. Returns
  /// the result of a success.
  const Outputs &endRun(const Call &ended, tg_status_t status,
                        const tg_error_t &error,
                        const detail::TraceState &trace);
  static tg_profile_t prepareProfile(const tg_function_t &function,
                                     const std::vector<int64_t> &symbols,
                                     Profile &profile);
  const tg_model_t &model() const { return *tg_module_model(module.get()); }
  bool holdsValues() const;
  /// Rethrows an exception of a print handler.
  void rethrowPrint() {
    if (std::exception_ptr thrown = std::exchange(prints->thrown, nullptr))
      std::rethrow_exception(thrown);
  }
  uint32_t findFunction(std::string_view name) const;
  uint32_t findVariable(std::string_view name) const;
  static void bind(const tg_value_t &value, Value &argument,
                   std::vector<int64_t> &symbols);
  static void inferShape(const tg_function_t &function, const tg_value_t &value,
                         Value &argument, const std::vector<int64_t> &symbols);
  std::vector<tg_tensor_t> prepareInputs(const tg_function_t &function,
                                         std::vector<Input> &inputs,
                                         std::vector<int64_t> &symbols);
  std::vector<tg_tensor_t> prepareOutputs(const tg_function_t &function,
                                          const std::vector<int64_t> &symbols,
                                          Outputs &into);

  std::shared_ptr<tg_module_t> module;
  Pool pool;
  std::optional<Variables> variables; // shared ones
  std::optional<Workspace> workspace; // a shared one
  std::vector<Host> host;             // registered ones
  std::unique_ptr<detail::Prints> prints = std::make_unique<detail::Prints>();
  std::vector<Outputs> results; // by function
  std::unique_ptr<Call> call;   // the one that begin() began
  std::unique_ptr<tg_context_t, Destroy> context;
  bool isRunning = false;
};

/// A loaded model. Copies share it. May be used from any thread.
class Model {
public:
  /// Checks and loads a model file.
  static Model load(const std::string &path, const OpenOptions &options = {}) {
    return make(options, [&](const tg_load_options_t *made, auto... rest) {
      return tg_module_load(path.c_str(), made, rest...);
    });
  }

  /// The same for the bytes of a file, which may be freed afterwards.
  static Model loadMemory(std::span<const std::byte> file,
                          const OpenOptions &options = {}) {
    return make(options, [&](const tg_load_options_t *made, auto... rest) {
      return tg_module_load_memory(file.data(), file.size(), made, rest...);
    });
  }

  /// Makes a Model of a model that is linked into the program
  /// (TG_DECLARE_MODEL).
  static Model adopt(tg_model_get_fn *get, const OpenOptions &options = {}) {
    return make(options, [&](const tg_load_options_t *made, auto... rest) {
      return tg_module_adopt(get, made, rest...);
    });
  }

  /// Checks a model file without loading it. Returns its trailer.
  static tg_trailer_t verify(const std::string &path) {
    tg_trailer_t trailer = {};
    detail::check(tg_module_verify, path.c_str(), &trailer);
    return trailer;
  }

  Context context(const ContextOptions &options = {}) const {
    return Context(module, options);
  }

  /// Publishes the weights of `source` to all shared contexts, in one atomic
  /// step.
  void publish(const Context &source) const {
    detail::check(tg_module_publish, module.get(),
                  static_cast<const tg_context_t *>(source.handle()));
  }

  /// Saves a copy of all variables, as Context::snapshot() returns it, like
  /// Context::save(), with texts in the metadata of the file. Another thread
  /// may train meanwhile.
  void save(std::span<const std::byte> block, const CheckpointEntries &entries,
            const std::string &path) const;

  /// Returns the tables of functions, variables and sizes.
  const tg_model_t &tables() const { return *tg_module_model(module.get()); }

  /// Returns the table of a function or a variable. Throws TG_ERROR_NOT_FOUND.
  const tg_function_t &function(std::string_view name) const {
    return *tables().functions[find(tg_module_find_function, name)];
  }
  const tg_variable_t &variable(std::string_view name) const {
    return *tables().variables[find(tg_module_find_variable, name)];
  }

  /// Returns the C object, owned by this object and its copies.
  tg_module_t *handle() const { return module.get(); }

private:
  explicit Model(std::shared_ptr<tg_module_t> loaded)
      : module(std::move(loaded)) {}

  /// Makes a Model by makeModule(options, &module, &error), the common part of
  /// load(), loadMemory() and adopt().
  template <typename Make>
  static Model make(const OpenOptions &options, Make makeModule) {
    // The module refers to the hooks as long as it lives.
    const auto hooks = std::make_shared<const Hooks>(options.hooks);
    const tg_hooks_t hooksInC = detail::toC(*hooks);
    tg_load_options_t made = {};
    made.struct_size = sizeof(made);
    made.flags = options.withoutTrailer ? uint32_t(TG_LOAD_WITHOUT_TRAILER) : 0;
    made.target = options.target;
    made.hooks = &hooksInC;
    if (options.device.device_type != TG_DEVICE_CPU) // else as before 1.4
      made.device = options.device;
    tg_module_t *created = nullptr;
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    if (makeModule(&made, &created, &error) != TG_OK)
      throw RuntimeError(error);
    return Model(
        std::shared_ptr<tg_module_t>(created, [hooks](tg_module_t *ended) {
          tg_module_unload(ended, nullptr);
        }));
  }

  template <typename Find>
  uint32_t find(Find *findIndex, std::string_view name) const {
    uint32_t index = 0;
    detail::check(findIndex, static_cast<const tg_module_t *>(module.get()),
                  std::string(name).c_str(), &index);
    return index;
  }

  std::shared_ptr<tg_module_t> module;
};

inline Context::Context(std::shared_ptr<tg_module_t> loaded,
                        const ContextOptions &options)
    : module(std::move(loaded)), variables(options.variables),
      workspace(options.workspace) {
  tg_context_options_t made = {};
  made.struct_size = sizeof(made);
  made.flags = options.shared ? uint32_t(TG_CONTEXT_SHARED) : 0;
  pool = options.pool;
  if (!pool.parallel() && options.threads != 1)
    pool = Pool(options.threads);
  made.parallel = pool.parallel();
  made.variables = variables ? variables->handle() : nullptr;
  made.workspace = workspace ? workspace->handle() : nullptr;
  made.stream = options.stream;
  tg_context_t *created = nullptr;
  detail::check(tg_context_create, module.get(),
                static_cast<const tg_context_options_t *>(&made), &created);
  context.reset(created);
  results.resize(model().function_count);
  addHost(options.host);
  if (options.seed)
    setSeed(*options.seed);
  if (!model().variable_count)
    return;
  if (options.seed && !options.shared)
    init(*options.seed);
  else if (!options.shared && !variables && holdsValues())
    init(0);
}

/// Returns true if the library has the initial values of its variables, that
/// is, if its init takes no seed.
inline bool Context::holdsValues() const {
  for (uint32_t i = 0; i < model().function_count; ++i)
    if (model().functions[i]->flags & TG_FUNCTION_INITIALIZES)
      return model().functions[i]->input_count == 0;
  return false;
}

inline uint32_t Context::findFunction(std::string_view name) const {
  uint32_t index = 0;
  detail::check(tg_module_find_function,
                static_cast<const tg_module_t *>(module.get()),
                std::string(name).c_str(), &index);
  return index;
}

inline uint32_t Context::findVariable(std::string_view name) const {
  uint32_t index = 0;
  detail::check(tg_module_find_variable,
                static_cast<const tg_module_t *>(module.get()),
                std::string(name).c_str(), &index);
  return index;
}

inline void Context::load(const std::string &path, const LoadOptions &options) {
  std::vector<tg_rename_t> renames;
  for (const Rename &rename : options.renames)
    renames.push_back({rename.tensor.c_str(), rename.variable.c_str(),
                       rename.transposed ? uint32_t(TG_RENAME_TRANSPOSED) : 0,
                       0});
  tg_variables_options_t made = {};
  made.struct_size = sizeof(made);
  made.flags = options.ignoreOthers ? uint32_t(TG_VARIABLES_IGNORE_OTHERS) : 0;
  made.renames = renames.data();
  made.rename_count = renames.size();
  made.strip_prefix = options.stripPrefix.c_str();
  made.add_prefix = options.addPrefix.c_str();
  detail::check(tg_context_load_variables_with, context.get(), path.c_str(),
                static_cast<const tg_variables_options_t *>(&made));
}

inline void Context::reserve(
    std::string_view name,
    std::initializer_list<std::pair<std::string_view, int64_t>> extents) {
  const uint32_t index = findFunction(name);
  const tg_function_t &function = *model().functions[index];
  std::vector<int64_t> symbols(function.symbol_total + 1, -1);
  for (const auto &[symbol, extent] : extents) {
    if (extent < 0)
      throw RuntimeError(TG_ERROR_DIM, std::string(name) + ": dimension '" +
                                           std::string(symbol) + "' is " +
                                           std::to_string(extent) +
                                           ", expected at least 0");
    uint32_t i = 0;
    while (i < function.symbol_count && symbol != function.symbols[i]->name)
      ++i;
    if (i == function.symbol_count) {
      std::string known;
      for (uint32_t s = 0; s < function.symbol_count; ++s)
        known += std::string(s ? ", " : "") + function.symbols[s]->name;
      throw RuntimeError(TG_ERROR_NOT_FOUND,
                         std::string(name) + " has no dimension '" +
                             std::string(symbol) + "', expected " +
                             (known.empty() ? "none" : "one of " + known));
    }
    symbols[i] = extent;
  }
  for (uint32_t i = 0; i < function.symbol_count; ++i)
    if (symbols[i] < 0)
      throw RuntimeError(TG_ERROR_NOT_FOUND,
                         std::string(name) + ": no extent for dimension '" +
                             function.symbols[i]->name + "' was given");
  detail::check(tg_context_reserve, context.get(), index,
                static_cast<const int64_t *>(symbols.data()));
}

namespace detail {

/// Throws if a C++ type is not the type of a variable's elements. `verb` is the
/// verb for the message: "asked for" or "given".
template <typename T>
void expectElements(const tg_variable_t &variable, const char *verb) {
  if (!isSame(variable.dtype, dtypeOf<T>()))
    throw RuntimeError(TG_ERROR_DTYPE,
                       std::string("variable '") + variable.name + "' is " +
                           tg_dtype_name(variable.dtype) + ", but was " + verb +
                           " as " + tg_dtype_name(dtypeOf<T>()));
}

} // namespace detail

template <typename T>
std::vector<T> Context::get(std::string_view variable) const {
  const uint32_t index = findVariable(variable);
  const tg_variable_t &entry = *model().variables[index];
  detail::expectElements<T>(entry, "asked for");
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
  detail::expectElements<T>(entry, "given");
  const std::span<const int64_t> dims(entry.dims, entry.rank);
  if (elements.size() != detail::count(dims))
    throw RuntimeError(
        TG_ERROR_DIM, std::to_string(elements.size()) +
                          " elements for variable '" + std::string(variable) +
                          "', expected " + std::to_string(detail::count(dims)));
  Value value(elements, {dims.begin(), dims.end()});
  value.tensor.ndim = static_cast<int32_t>(entry.rank);
  value.tensor.shape = value.dims.data();
  detail::check(tg_context_set_variable, context.get(), index,
                static_cast<const tg_tensor_t *>(&value.tensor));
}

} // namespace tg

#include "runtime/checkpoints.hpp"
#include "runtime/run.hpp"

#endif // TG_RUNTIME_HPP
