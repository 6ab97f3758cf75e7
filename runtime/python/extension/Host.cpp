/// Calls Python in the middle of runs.
#include "Host.h"

namespace tg::python {

HostState::HostState(const nb::dict &given, const nb::object &print)
    : print(print) {
  for (auto [name, function] : given)
    functions.emplace_back(textOf(name, "the name of a function of the host"),
                           nb::borrow(function));
}

void HostState::addTo(Host &host) {
  for (size_t i = 0; i < functions.size(); ++i)
    host.add(functions[i].first,
             [this, i](std::span<const HostInput> inputs,
                       std::span<const HostOutput> outputs) {
               call(i, inputs, outputs);
             });
  if (!print.is_none())
    host.onPrint([this](std::string_view label, const HostInput &value) {
      showPrint(label, value);
    });
}

nb::object HostState::copyOf(const tg_tensor_t &tensor) const {
  const std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
  const nb::object array = arrays.empty(shape, arrays.dtype(tensor.dtype));
  const nb::ndarray<> view = nb::cast<nb::ndarray<>>(array);
  if (view.nbytes())
    std::memcpy(view.data(), tensor.data, view.nbytes());
  return array;
}

/// Copies an array that a Python function returned to an output, whose shape
/// and element type `array` has.
static void copyResult(const nb::object &array, nb::handle result,
                       const tg_tensor_t &output) {
  nb::module_::import_("numpy").attr("copyto")(array, result);
  const nb::ndarray<> view = nb::cast<nb::ndarray<>>(array);
  if (view.nbytes())
    std::memcpy(output.data, view.data(), view.nbytes());
}

void HostState::call(size_t function, std::span<const HostInput> inputs,
                     std::span<const HostOutput> outputs) {
  const nb::gil_scoped_acquire gil;
  try {
    nb::list arguments;
    for (const HostInput &input : inputs)
      arguments.append(copyOf(input.tensor()));
    nb::object results = functions[function].second(*arguments);
    if (outputs.size() == 1 && !nb::isinstance<nb::tuple>(results))
      results = nb::make_tuple(results);
    const size_t count = results.is_none() ? 0 : nb::len(results);
    if (count != outputs.size())
      throw nb::value_error(("host function '" + functions[function].first +
                             "' returned " + std::to_string(count) +
                             " results, expected " +
                             std::to_string(outputs.size()))
                                .c_str());
    for (size_t i = 0; i < count; ++i)
      copyResult(copyOf(outputs[i].tensor()), results[i], outputs[i].tensor());
  } catch (nb::python_error &error) {
    const std::string text = nb::cast<std::string>(nb::str("{}: {}").attr(
        "format")(error.type().attr("__name__"), error.value()));
    if (!thrown)
      thrown = std::current_exception();
    throw std::runtime_error(text);
  }
}

void HostState::showPrint(std::string_view label, const HostInput &value) {
  const nb::gil_scoped_acquire gil;
  attempt([&] {
    print(nb::str(label.data(), label.size()), copyOf(value.tensor()));
  });
}

void HostState::rethrow(const tg_error_t *error, const tg_model_t *model) {
  const std::exception_ptr first = std::exchange(thrown, nullptr);
  if (!first)
    return;
  try {
    std::rethrow_exception(first);
  } catch (nb::python_error &cause) {
    if (!error || !cause.matches(PyExc_Exception))
      throw;
    try {
      raise(*error, model);
    } catch (nb::python_error &made) {
      const nb::object value = nb::borrow(made.value());
      PyException_SetCause(value.ptr(),
                           nb::borrow(cause.value()).release().ptr());
      throw;
    }
  }
}

int HostState::traverse(visitproc visit, void *arg) const {
  for (const auto &[name, function] : functions)
    Py_VISIT(function.ptr());
  Py_VISIT(print.ptr());
  return 0;
}

void HostState::drop() {
  for (auto &[name, function] : functions)
    function = nb::none();
  print = nb::none();
}

} // namespace tg::python
