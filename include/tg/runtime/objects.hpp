/// Hooks, pools and options of models and contexts, the part of tg/runtime.hpp
/// that runs nothing. Include that header.
#ifndef TG_RUNTIME_OBJECTS_HPP
#define TG_RUNTIME_OBJECTS_HPP

#include "host.hpp"
#include "values.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace tg {

/// The hooks of a model. Any may be empty, but allocate and release only
/// together. They are called on the thread that made the call and must be
/// thread-safe. A run calls only error, and log with the prints of the model.
/// The model owns the hooks.
struct Hooks {
  /// Returns true if the file, which is complete and unchanged, may be mapped,
  /// for example because of its signature. An exception also rejects the file.
  std::function<bool(std::span<const std::byte> file)> verify = {};
  /// Logs one line; the level is a TG_LOG_ constant. Exceptions of `log` and
  /// `error` are dropped.
  std::function<void(int32_t level, std::string_view line)> log = {};
  /// Called for every failing call on the model or its contexts.
  std::function<void(const tg_error_t &error)> error = {};
  /// Allocates memory for variables, workspaces and packed weights. Returns
  /// null or throws on failure.
  std::function<void *(uint64_t bytes, uint64_t alignment)> allocate = {};
  std::function<void(void *memory, uint64_t bytes)> release = {};
};

/// The options for loading a model.
struct OpenOptions {
  /// The target of the code: the best one for this CPU, or a TG_TARGET_
  /// constant.
  uint32_t target = TG_TARGET_BEST;
  /// Accepts a file without trailer.
  bool withoutTrailer = false;
  Hooks hooks = {};
  /// The device whose memory holds the variables and on which functions run, as
  /// in tg_load_options_t: this CPU, or {TG_DEVICE_CUDA, number}.
  tg_device_t device = {TG_DEVICE_CPU, 0};
};

/// A tensor of a file whose variable in the model has another name.
struct Rename {
  std::string tensor, variable;
  /// The file has the transpose of the matrix, as linear layers of PyTorch do.
  bool transposed = false;
};

/// The mapping of tensors of a file to variables, as in tg_variables_options_t.
struct LoadOptions {
  /// Ignores tensors of the file that are no variables of the library.
  bool ignoreOthers = false;
  std::vector<Rename> renames = {};
  std::string stripPrefix = {}, addPrefix = {};
};

/// Returns the number of devices of a type on which models can be loaded, as
/// tg_device_count.
inline uint32_t deviceCount(int32_t deviceType) {
  uint32_t count = 0;
  detail::check(tg_device_count, deviceType, &count);
  return count;
}

/// Threads that several contexts, of any models, may share. A context that
/// finds them busy runs on its calling thread. Copies share the threads. Any
/// thread.
class Pool {
public:
  /// No threads: runs use the calling thread.
  Pool() = default;
  /// Makes a pool with this number of workers, including the calling thread; 0:
  /// one per usable CPU.
  explicit Pool(uint32_t workers) {
    tg_pool_t *created = nullptr;
    detail::check(tg_pool_create, workers, &created);
    pool.reset(created,
               [](tg_pool_t *ended) { tg_pool_destroy(ended, nullptr); });
  }

  /// Returns the pool for the C interface, null if there is none.
  const tg_parallel_t *parallel() const {
    return pool ? tg_pool_parallel(pool.get()) : nullptr;
  }
  uint32_t workers() const { return pool ? parallel()->worker_count : 1; }

private:
  std::shared_ptr<tg_pool_t> pool;
};

/// A set of variables that contexts of several models share, as tg_variables_t:
/// for example, one model trains and another one infers. The set gets the
/// variables of the models whose contexts use it. Copies share the set. May be
/// used from any thread.
class Variables {
public:
  /// Makes an empty set. With `startAtZero`, new variables are 0. Otherwise a
  /// run throws TG_ERROR_SLAB if a variable that it uses has no value. The set
  /// lies in the memory of `device`, on which the models must run.
  explicit Variables(bool startAtZero = false,
                     tg_device_t device = {TG_DEVICE_CPU, 0}) {
    tg_variables_t *created = nullptr;
    detail::check(tg_variables_create_on, device,
                  startAtZero ? uint32_t(TG_VARIABLES_START_AT_ZERO) : 0,
                  static_cast<const tg_hooks_t *>(nullptr), &created);
    set.reset(created, [](tg_variables_t *ended) {
      tg_variables_destroy(ended, nullptr);
    });
  }

  /// Takes a snapshot of the variables with these indices in
  /// tg_model_t.variables. It replaces the last snapshot.
  void snapshot(std::span<const uint32_t> indices) const {
    detail::check(tg_variables_snapshot, set.get(), indices.data(),
                  static_cast<uint32_t>(indices.size()));
  }
  /// Restores the values of the variables in the last snapshot.
  void rollback() const { detail::check(tg_variables_rollback, set.get()); }

  /// Returns the C object, owned by this object and its copies.
  tg_variables_t *handle() const { return set.get(); }

private:
  std::shared_ptr<tg_variables_t> set;
};

/// A workspace that contexts of any models share, in which one computes at a
/// time, as tg_workspace_t. Copies share the memory. May be used from any
/// thread.
class Workspace {
public:
  /// Makes an empty workspace in the memory of `device`, on which the models
  /// must run.
  explicit Workspace(tg_device_t device = {TG_DEVICE_CPU, 0}) {
    tg_workspace_t *created = nullptr;
    detail::check(tg_workspace_create_on, device,
                  static_cast<const tg_hooks_t *>(nullptr), &created);
    memory.reset(created, [](tg_workspace_t *ended) {
      tg_workspace_destroy(ended, nullptr);
    });
  }

  /// Returns the size in bytes.
  uint64_t bytes() const { return tg_workspace_bytes(memory.get()); }

  /// Returns the C object, owned by this object and its copies.
  tg_workspace_t *handle() const { return memory.get(); }

private:
  std::shared_ptr<tg_workspace_t> memory;
};

/// The times of one run, with an entry for each of tg_function_t.steps.
struct Profile {
  /// The begin and end in nanoseconds, by a monotonic clock.
  std::vector<uint64_t> begin, end;
  /// The arithmetic operations, and the minimum memory traffic in bytes.
  std::vector<uint64_t> flops, bytes;
  /// The extents of the run, one per symbol of the function, and an unused
  /// element.
  std::vector<int64_t> symbols;
};

/// Receives the results of steps: see tg_trace_fn.
using TraceFunction = std::function<void(uint32_t step, uint32_t index,
                                         const tg_step_result_t &result)>;

/// The options of a context.
struct ContextOptions {
  /// The number of threads. 1: the calling thread; 0: one per usable CPU;
  /// otherwise a pool of this size.
  uint32_t threads = 1;
  /// Initializes the variables, if the context has any, and sets the seed of
  /// random numbers in functions, as Context::setSeed does. Throws
  /// TG_ERROR_NOT_FOUND for a model with variables and without an initializing
  /// function. A model that has its values needs no seed, unless the context
  /// uses `variables`. Otherwise, without a seed, load, import or set the
  /// variables.
  std::optional<int64_t> seed = {};
  /// Makes a context without its own variables, which reads the weights that
  /// Model::publish published.
  bool shared = false;
  /// Threads shared with other contexts, in place of `threads`.
  Pool pool = {};
  /// Variables shared with other contexts. None: the context has its own.
  std::optional<Variables> variables = {};
  /// A workspace shared with other contexts. None: the context has its own.
  std::optional<Workspace> workspace = {};
  /// Host functions that the model, including its init, calls by name, and the
  /// handler of its prints.
  Host host = {};
  /// For a model on a device: the stream of the host, a CUstream, to which the
  /// context enqueues its runs. It must outlive the context. Null: the context
  /// has a stream of its own.
  void *stream = nullptr;
};

namespace detail {

/// Calls a hook. Returns `failed` if the hook throws, since exceptions must not
/// pass through C.
template <typename Result, typename Call>
Result guard(Result failed, Call call) {
  try {
    return call();
  } catch (...) {
    return failed;
  }
}

/// The user data of a C trace, which passes results on to a TraceFunction.
struct TraceState {
  const TraceFunction *function;
  std::exception_ptr thrown = nullptr;

  static void record(void *user, uint32_t step, uint32_t index,
                     const tg_step_result_t *result) {
    TraceState &state = *static_cast<TraceState *>(user);
    if (state.thrown)
      return;
    try {
      (*state.function)(step, index, *result);
    } catch (...) {
      state.thrown = std::current_exception();
    }
  }
};

/// Converts hooks to the C interface; `hooks` must outlive the module.
inline tg_hooks_t toC(const Hooks &hooks) {
  tg_hooks_t made = {};
  made.struct_size = sizeof(made);
  made.user = const_cast<Hooks *>(&hooks);
  if (hooks.verify)
    made.verify = [](void *user, const void *file, uint64_t bytes) -> int32_t {
      return guard(1, [&] {
        const std::span all(static_cast<const std::byte *>(file), bytes);
        return static_cast<const Hooks *>(user)->verify(all) ? 0 : 1;
      });
    };
  if (hooks.log)
    made.log = [](void *user, int32_t level, const char *message) {
      guard(0, [&] {
        static_cast<const Hooks *>(user)->log(level, message);
        return 0;
      });
    };
  if (hooks.error)
    made.error = [](void *user, const tg_error_t *error) {
      guard(0, [&] {
        static_cast<const Hooks *>(user)->error(*error);
        return 0;
      });
    };
  if (hooks.allocate)
    made.allocate = [](void *user, uint64_t bytes, uint64_t alignment) {
      return guard(static_cast<void *>(nullptr), [&] {
        return static_cast<const Hooks *>(user)->allocate(bytes, alignment);
      });
    };
  if (hooks.release)
    made.release = [](void *user, void *memory, uint64_t bytes) {
      guard(0, [&] {
        static_cast<const Hooks *>(user)->release(memory, bytes);
        return 0;
      });
    };
  return made;
}

} // namespace detail

} // namespace tg

#endif // TG_RUNTIME_OBJECTS_HPP
