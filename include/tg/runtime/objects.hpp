/// The services of a host for a model and its contexts: hooks, threads,
/// options. The part of tg/runtime.hpp that runs nothing. Include that one.
#ifndef TG_RUNTIME_OBJECTS_HPP
#define TG_RUNTIME_OBJECTS_HPP

#include "host.hpp"
#include "values.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace tg {

/// Functions of a host for a model. Any may be empty; allocate and release come
/// together. Called on the thread that made the call, and in a run only error
/// and, with the model's prints, log; they must be thread-safe. A model keeps
/// copies of them.
struct Hooks {
  /// Returns true if the file, found complete and unchanged, may be mapped: for
  /// its signature, say. What throws refuses, too.
  std::function<bool(std::span<const std::byte> file)> verify = {};
  /// One line for the host's log; the level is a TG_LOG_. Its exceptions, and
  /// those of `error`, are dropped.
  std::function<void(int32_t level, std::string_view line)> log = {};
  /// Every failing call on the model or its contexts.
  std::function<void(const tg_error_t &error)> error = {};
  /// Memory for variables, workspaces and packed weights; null, or an
  /// exception, if there is none.
  std::function<void *(uint64_t bytes, uint64_t alignment)> allocate = {};
  std::function<void(void *memory, uint64_t bytes)> release = {};
};

/// The options of loading a model.
struct OpenOptions {
  /// The best code for this CPU, or that for one TG_TARGET_.
  uint32_t target = TG_TARGET_BEST;
  /// Accepts a file that was stripped of its trailer.
  bool withoutTrailer = false;
  Hooks hooks = {};
};

/// A tensor of a file that has another name in the model.
struct Rename {
  std::string tensor, variable;
  /// The file holds the matrix with rows and columns exchanged, as PyTorch's
  /// linear layers have it.
  bool transposed = false;
};

/// Which tensors of a file become variables: tg_variables_options_t says how.
struct LoadOptions {
  /// Loads what the library has, and ignores other tensors.
  bool ignoreOthers = false;
  std::vector<Rename> renames = {};
  std::string stripPrefix = {}, addPrefix = {};
};

/// Threads that several contexts may share, of any models: a context that finds
/// them busy does its work alone. Copies share them; any thread.
class Pool {
public:
  /// None: runs stay on the calling thread.
  Pool() = default;
  /// So many workers, the calling thread included; 0: one per usable CPU.
  explicit Pool(uint32_t workers) {
    tg_pool_t *created = nullptr;
    detail::check(tg_pool_create, workers, &created);
    pool.reset(created,
               [](tg_pool_t *ended) { tg_pool_destroy(ended, nullptr); });
  }

  /// The pool for the C interface; null if there is none.
  const tg_parallel_t *parallel() const {
    return pool ? tg_pool_parallel(pool.get()) : nullptr;
  }
  uint32_t workers() const { return pool ? parallel()->worker_count : 1; }

private:
  std::shared_ptr<tg_pool_t> pool;
};

/// The times of one run: an entry for each of tg_function_t.steps.
struct Profile {
  /// Nanoseconds of a clock that never goes back.
  std::vector<uint64_t> begin, end;
  /// Arithmetic, and bytes of memory to be moved at least.
  std::vector<uint64_t> flops, bytes;
  /// The extents of the run, by the symbols of the function; one more.
  std::vector<int64_t> symbols;
};

/// The options of a context.
struct ContextOptions {
  /// 1: on the calling thread; 0: one per usable CPU; else a pool of so many.
  uint32_t threads = 1;
  /// Initializes the variables, if the context has some, and sets the seed of
  /// what functions draw, as Context::setSeed does. Throws TG_ERROR_NOT_FOUND
  /// for a model with variables and without an initializing function. A model
  /// that holds its values needs no seed. Without one: load, import or set the
  /// variables.
  std::optional<int64_t> seed = {};
  /// No variables of its own: reads those that Model::publish published.
  bool shared = false;
  /// Threads shared with other contexts, in place of `threads`.
  Pool pool = {};
  /// The functions that the model calls by name, in its init too, and the
  /// receiver of its prints.
  Host host = {};
};

namespace detail {

/// Calls a hook. Its exceptions do not pass through C: they are `failed`.
template <typename Result, typename Call>
Result guard(Result failed, Call call) {
  try {
    return call();
  } catch (...) {
    return failed;
  }
}

/// The hooks as the C interface has them; `hooks` must outlive the module.
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
