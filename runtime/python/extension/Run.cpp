/// Runs functions on values that Python gives by name.
#include "Context.h"

namespace tg::python {

//===-- Memory of a call -------------------------------------------------===//

void Call::begin(const Signature &called) {
  signature = &called;
  const tg_function_t &function = *called.function;
  const size_t total = function.input_count + function.output_count;
  if (room < total) {
    values = std::make_unique<Array[]>(total);
    room = total;
  }
  tensors.assign(total, tg_tensor_t());
  // One element more, so that a function without symbols has an array too.
  symbols.assign(function.symbol_total + 1, -1);
  shapes.resize(function.output_count);
  results.assign(function.output_count, nb::object());
  isGiven.assign(function.input_count, false);
  isMade.assign(function.output_count, false);
  surplus = 0;
}

void Call::end() {
  if (!signature)
    return;
  for (size_t i = 0; i < tensors.size(); ++i)
    values[i].release();
  results.clear();
  signature = nullptr;
}

int Call::traverse(visitproc visit, void *arg) const {
  if (!signature)
    return 0;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (const int stop = values[i].traverse(visit, arg))
      return stop;
  for (const nb::object &result : results)
    Py_VISIT(result.ptr());
  return 0;
}

//===-- Inputs -----------------------------------------------------------===//

const Signature &ContextObject::findFunction(nb::handle name) {
  const Tables &tables = *model.tables;
  PyObject *index = PyDict_GetItemWithError(tables.functions.ptr(), name.ptr());
  if (index)
    return tables.signatures[nb::cast<size_t>(nb::handle(index))];
  if (PyErr_Occurred())
    throw nb::python_error();
  const std::string text = textOf(name, "the name of a function");
  uint32_t found = 0; // the call throws for an unknown name
  detail::check(tg_module_find_function,
                static_cast<const tg_module_t *>(model.model.handle()),
                text.c_str(), &found);
  return tables.signatures[found];
}

void ContextObject::giveInput(nb::handle name, nb::handle value) {
  PyObject *found =
      PyDict_GetItemWithError(call.signature->inputs.ptr(), name.ptr());
  if (!found) {
    if (PyErr_Occurred())
      throw nb::python_error();
    ++call.surplus;
    return;
  }
  const auto index = static_cast<uint32_t>(PyLong_AsLong(found));
  call.surplus += call.isGiven[index];
  call.isGiven[index] = true;
  const tg_value_t &expected = *call.signature->function->inputs[index];
  call.values[index].release();
  call.values[index].refer(value, expected, Array::Access::Read, stream);
  call.tensors[index] = call.values[index].tensor();
}

void ContextObject::giveInputs(nb::handle inputs, const nb::kwargs &named) {
  const auto give = [&](nb::handle mapping) {
    PyObject *name, *value;
    for (Py_ssize_t at = 0; PyDict_Next(mapping.ptr(), &at, &name, &value);)
      giveInput(name, value);
  };
  if (inputs.is_valid())
    give(inputs);
  give(named);
  const tg_function_t &function = *call.signature->function;
  bool isComplete = call.surplus == 0;
  for (uint32_t i = 0; i < function.input_count; ++i)
    isComplete &=
        call.isGiven[i] || detail::isSuppliedByContext(*function.inputs[i]);
  if (!isComplete)
    failInputs(inputs, named);
}

void ContextObject::failNames(const char *kind, nb::handle found,
                              bool isKey) const {
  const nb::object function =
      model.description().attr("functions")[call.signature->function->name];
  raiseMade("not_by_name", function, kind, found, isKey);
}

void ContextObject::failInputs(nb::handle inputs, const nb::kwargs &named) {
  std::vector<std::string> names;
  for (nb::handle mapping : {inputs, nb::handle(named)})
    if (mapping.is_valid())
      for (auto [name, value] : nb::borrow<nb::dict>(mapping))
        if (nb::isinstance<nb::str>(name))
          names.push_back(textOf(name, "the name of an input"));
        else
          failNames("inputs", name, /*isKey=*/true);
  std::vector<Input> given;
  for (const std::string &name : names)
    given.push_back({name, Value(0)});
  detail::pickInputs(*call.signature->function, given);
  fail(TG_ERROR_COUNT, std::string(call.signature->function->name) +
                           ": found an input twice, expected each once");
}

//===-- Shapes -----------------------------------------------------------===//

void ContextObject::bindSymbols() {
  const tg_function_t &function = *call.signature->function;
  for (uint32_t i = 0; i < function.input_count; ++i) {
    const tg_value_t &value = *function.inputs[i];
    const tg_tensor_t &tensor = call.tensors[i];
    if (!call.isGiven[i])
      continue;
    if (tensor.ndim != static_cast<int32_t>(value.rank))
      fail(TG_ERROR_RANK,
           std::string(function.name) + ": '" + value.name + "' has shape " +
               detail::describeShape(tensor) + ", expected " +
               detail::describeShape(function, value, call.symbols));
    for (uint32_t d = 0; d < value.rank; ++d) {
      const int64_t dim = value.dims[d];
      if (dim < 0 && call.symbols[static_cast<size_t>(-1 - dim)] < 0)
        call.symbols[static_cast<size_t>(-1 - dim)] = tensor.shape[d];
    }
  }
}

void ContextObject::plan() {
  const tg_function_t &function = *call.signature->function;
  if (function.symbol_total == 0)
    return;
  // The workspace never becomes smaller.
  std::vector<int64_t> &last = planned[call.signature->index];
  if (last.size() == call.symbols.size() &&
      std::equal(last.begin(), last.begin() + function.symbol_count,
                 call.symbols.begin())) {
    call.symbols = last;
    return;
  }
  tg_plan_t request = {};
  request.struct_size = sizeof(request);
  request.symbols = call.symbols.data();
  ErrorBuffer error;
  if (tg_context_plan(made->handle(), call.signature->index, &request,
                      &error) != TG_OK)
    raise(error, &model.tables->model);
  last = call.symbols;
}

//===-- Outputs ----------------------------------------------------------===//

void ContextObject::makeOutputs(nb::handle out) {
  const Signature &signature = *call.signature;
  const tg_function_t &function = *signature.function;
  size_t given = 0;
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    std::vector<int64_t> &shape = call.shapes[i];
    shape.clear();
    for (uint32_t d = 0; d < value.rank; ++d)
      shape.push_back(tg_dim(value.dims[d], call.symbols.data()));
    PyObject *array =
        out.is_valid()
            ? PyDict_GetItemWithError(out.ptr(), signature.outputNames[i].ptr())
            : nullptr;
    given += array != nullptr;
    call.isMade[i] = !array;
    call.results[i] =
        array ? nb::borrow(array)
              : model.tables->arrays.empty(shape, signature.outputTypes[i]);
    Array &memory = call.values[function.input_count + i];
    memory.refer(call.results[i], value, Array::Access::Write, stream);
    tg_tensor_t &tensor = call.tensors[function.input_count + i];
    tensor = memory.tensor();
    // A run may write extents to the shape.
    shape.assign(tensor.shape, tensor.shape + tensor.ndim);
    tensor.shape = shape.data();
  }
  if (out.is_valid() && given != nb::len(out))
    failOutputs(out);
}

void ContextObject::failOutputs(nb::handle out) {
  for (auto [name, array] : nb::borrow<nb::dict>(out)) {
    if (!nb::isinstance<nb::str>(name))
      failNames("outputs", name, /*isKey=*/true);
    bool isKnown = false;
    std::string known;
    for (const nb::object &output : call.signature->outputNames) {
      isKnown |= output.equal(name);
      known += (known.empty() ? "" : ", ") + nb::cast<std::string>(output);
    }
    if (!isKnown)
      fail(TG_ERROR_NOT_FOUND, std::string(call.signature->function->name) +
                                   ": no output '" +
                                   textOf(name, "the name of an output") +
                                   "', expected one of " + known);
  }
}

/// Returns an output as it is shown to Python: a number of NumPy if it has rank
/// 0, and no memory beyond the extents that the run found.
nb::object ContextObject::takeOutput(uint32_t output) {
  const tg_function_t &function = *call.signature->function;
  const tg_tensor_t &memory =
      call.values[function.input_count + output].tensor();
  const std::vector<int64_t> &shape = call.shapes[output];
  nb::object &array = call.results[output];
  if (!std::equal(shape.begin(), shape.end(), memory.shape))
    return model.tables->arrays.cut(array, shape, call.isMade[output]);
  if (!shape.empty() || !call.isMade[output])
    return std::move(array);
  return nb::steal(PyObject_GetItem(array.ptr(), model.tables->noIndex.ptr()));
}

nb::object ContextObject::takeOutputs() {
  const nb::object taken =
      nb::steal(PyObject_CallNoArgs(model.tables->outputsType.ptr()));
  if (!taken.is_valid())
    throw nb::python_error();
  const Signature &signature = *call.signature;
  for (uint32_t i = 0; i < signature.outputNames.size(); ++i) {
    const nb::object value = takeOutput(i);
    if (!value.is_valid() ||
        PyDict_SetItem(taken.ptr(), signature.outputNames[i].ptr(),
                       value.ptr()) != 0)
      throw nb::python_error();
  }
  return taken;
}

//===-- Runs -------------------------------------------------------------===//

/// Returns the mapping of an argument of run(), or nothing for None.
nb::object ContextObject::mappingOf(nb::handle argument,
                                    const char *kind) const {
  if (!argument.is_valid() || argument.is_none())
    return {};
  if (nb::isinstance<nb::dict>(argument))
    return nb::borrow(argument);
  if (!nb::hasattr(argument, "keys"))
    failNames(kind, argument, /*isKey=*/false);
  return nb::handle(reinterpret_cast<PyObject *>(&PyDict_Type))(argument);
}

void ContextObject::prepare(nb::handle function, nb::handle given,
                            const nb::kwargs &named) {
  call.begin(findFunction(function));
  const nb::object inputs = mappingOf(given, "inputs");
  nb::object out;
  if (PyObject *arrays = PyDict_GetItemString(named.ptr(), "out")) {
    out = mappingOf(arrays, "outputs");
    PyDict_DelItemString(named.ptr(), "out");
  }
  giveInputs(inputs, named);
  bindSymbols();
  plan();
  makeOutputs(out);
}

void ContextObject::prepare(const char *method, const nb::args &arguments,
                            const nb::kwargs &named, size_t count) {
  const size_t found = arguments.size();
  if (found < count || found > count + 1)
    throw nb::type_error((std::string(method) +
                          "() takes the name of a function, " +
                          (count > 1 ? "a receiver of results, " : "") +
                          "and at most one mapping of inputs")
                             .c_str());
  prepare(arguments[0],
          found > count ? nb::handle(arguments[count]) : nb::handle(), named);
}

void ContextObject::checkCall(tg_status_t status, const ErrorBuffer &error) {
  host->rethrow(status == TG_OK ? nullptr : &error, &model.tables->model);
  if (status != TG_OK)
    raise(error, &model.tables->model);
}

nb::object ContextObject::run(const nb::args &arguments,
                              const nb::kwargs &named) {
  const Use use(*this, "run");
  prepare("run", arguments, named);
  runCall(tg_context_run);
  return takeOutputs();
}

} // namespace tg::python
