/// Host functions in C++, which models call by name. Part of tg/runtime.hpp;
/// include that header.
#ifndef TG_RUNTIME_HOST_HPP
#define TG_RUNTIME_HOST_HPP

#include "values.hpp"

#include <exception>
#include <functional>
#include <memory>

namespace tg {

namespace detail {
/// Returns the elements of an array of type T. Throws TG_ERROR_DTYPE if the
/// array has another type.
template <typename T> std::span<T> elementsOf(const tg_tensor_t &tensor) {
  const tg_dtype_t expected = dtypeOf<std::remove_const_t<T>>();
  if (!isSame(tensor.dtype, expected))
    throw RuntimeError(TG_ERROR_DTYPE, std::string("an array of ") +
                                           tg_dtype_name(tensor.dtype) +
                                           ", expected " +
                                           tg_dtype_name(expected));
  const std::span<const int64_t> dims(tensor.shape,
                                      static_cast<size_t>(tensor.ndim));
  return {static_cast<T *>(tensor.data), count(dims)};
}
} // namespace detail

/// An input array of a host function: dense and row-major, valid while the
/// function runs.
class HostInput {
public:
  explicit HostInput(const tg_tensor_t &tensor) : array(&tensor) {}

  std::span<const int64_t> shape() const {
    return {array->shape, static_cast<size_t>(array->ndim)};
  }
  /// Returns the elements, which must be of type T. Throws TG_ERROR_DTYPE
  /// otherwise.
  template <typename T> std::span<const T> values() const {
    return detail::elementsOf<const T>(*array);
  }
  const tg_tensor_t &tensor() const { return *array; }

private:
  const tg_tensor_t *array;
};

/// An output array of a host function, filled with 0 at first.
class HostOutput {
public:
  explicit HostOutput(const tg_tensor_t &tensor) : array(&tensor) {}

  std::span<const int64_t> shape() const {
    return {array->shape, static_cast<size_t>(array->ndim)};
  }
  template <typename T> std::span<T> values() const {
    return detail::elementsOf<T>(*array);
  }
  const tg_tensor_t &tensor() const { return *array; }

private:
  const tg_tensor_t *array;
};

/// A host function. An exception that it throws fails the run with
/// TG_ERROR_HOST and the text of the exception; the variables then keep their
/// values.
using HostFunction = std::function<void(std::span<const HostInput> inputs,
                                        std::span<const HostOutput> outputs)>;

/// A handler of a model's prints. Its first exception in a successful run is
/// rethrown from Context::run when the run is done.
using PrintFunction =
    std::function<void(std::string_view label, const HostInput &value)>;

/// Returns a tensor as text, "f32[2, 2] [[1, 2.5], [3, 4]]", in at most `bytes`
/// bytes.
inline std::string describe(const HostInput &value, size_t bytes = 1024) {
  std::string text(bytes, '\0');
  tg_tensor_describe(&value.tensor(), text.data(), bytes);
  text.resize(std::strlen(text.c_str()));
  return text;
}

namespace detail {
/// The print handler of one context, and the first exception that it threw.
struct Prints {
  std::shared_ptr<const PrintFunction> function;
  std::exception_ptr thrown;
};
} // namespace detail

/// Host functions by name and a print handler, for contexts. Copies share the
/// functions.
class Host {
public:
  /// Registers a function under a name. A later function of the name replaces
  /// it.
  Host &add(std::string name, HostFunction function) {
    return addCall(std::move(name), [function = std::move(function)](
                                        const tg_host_call_t &request) {
      const std::vector<HostInput> inputs(request.inputs,
                                          request.inputs + request.input_count);
      const std::vector<HostOutput> outputs(
          request.outputs, request.outputs + request.output_count);
      function(inputs, outputs);
      return tg_status_t(TG_OK);
    });
  }
  /// Adds all functions of a table, and its print handler if it has one. The
  /// table must outlive the contexts. An exception of a function also fails the
  /// run.
  Host &add(const tg_host_t &table) {
    for (uint32_t i = 0; i < table.function_count; ++i)
      addCall(table.functions[i]->name,
              [function = table.functions[i]](const tg_host_call_t &request) {
                return function->call(function->user, &request);
              });
    if (table.print)
      onPrint([&table](std::string_view label, const HostInput &value) {
        table.print(table.user, std::string(label).c_str(), &value.tensor());
      });
    return *this;
  }
  Host &onPrint(PrintFunction function) {
    print = std::make_shared<const PrintFunction>(std::move(function));
    return *this;
  }

private:
  friend class Context;
  using Call = std::function<tg_status_t(const tg_host_call_t &request)>;
  struct Entry {
    std::string name;
    std::shared_ptr<const Call> call;
  };

  Host &addCall(std::string name, Call function) {
    entries.push_back(
        {std::move(name), std::make_shared<const Call>(std::move(function))});
    return *this;
  }
  static tg_status_t call(void *user, const tg_host_call_t *request);
  static void printTo(void *user, const char *label, const tg_tensor_t *value);
  /// Registers everything with a context, which must not outlive this object
  /// and `prints`.
  void registerWith(tg_context_t *context, detail::Prints &prints) const;

  std::vector<Entry> entries;
  std::shared_ptr<const PrintFunction> print;
};

// Converts exceptions to a status, since they must not pass through C.
inline tg_status_t Host::call(void *user, const tg_host_call_t *request) {
  const auto fail = [&](std::string_view what) {
    request->message[what.copy(request->message, request->message_bytes - 1)] =
        0;
    return tg_status_t(TG_ERROR_HOST);
  };
  try {
    return (*static_cast<const Call *>(user))(*request);
  } catch (const std::exception &error) {
    return fail(error.what());
  } catch (...) {
    return fail("it threw something other than a std::exception");
  }
}

inline void Host::printTo(void *user, const char *label,
                          const tg_tensor_t *value) {
  auto &prints = *static_cast<detail::Prints *>(user);
  try {
    (*prints.function)(label, HostInput(*value));
  } catch (...) {
    // A print returns no status, so the exception is rethrown after the run.
    if (!prints.thrown)
      prints.thrown = std::current_exception();
  }
}

inline void Host::registerWith(tg_context_t *context,
                               detail::Prints &prints) const {
  for (const Entry &entry : entries)
    detail::check(
        tg_context_register_host, context, entry.name.c_str(), &Host::call,
        const_cast<void *>(static_cast<const void *>(entry.call.get())));
  if (!print)
    return;
  detail::check(tg_context_set_print, context, &Host::printTo,
                static_cast<void *>(&prints));
  prints.function = print;
}

} // namespace tg

#endif // TG_RUNTIME_HOST_HPP
