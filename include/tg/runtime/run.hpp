/// Runs functions for Context of tg/runtime.hpp, which includes this file:
/// shapes of inputs, memory of outputs, and the size of the workspace.
#ifndef TG_RUNTIME_RUN_HPP
#define TG_RUNTIME_RUN_HPP

#include "../runtime.hpp"

namespace tg {

/// Binds the symbols of an input to the extents of its value. Mismatches are
/// left to the checks of the run.
inline void Context::bind(const tg_value_t &value, Value &argument,
                          std::vector<int64_t> &symbols) {
  if (argument.dims.size() != value.rank)
    return;
  for (uint32_t i = 0; i < value.rank; ++i) {
    const int64_t dim = value.dims[i];
    if (dim < 0 && symbols[static_cast<size_t>(-1 - dim)] < 0)
      symbols[static_cast<size_t>(-1 - dim)] = argument.dims[i];
  }
}

namespace detail {

/// Returns the dims of a value with the extents bound so far: "[batch = 2, 4]".
inline std::string describeShape(const tg_function_t &function,
                                 const tg_value_t &value,
                                 const std::vector<int64_t> &symbols) {
  std::string text = "[";
  for (uint32_t i = 0; i < value.rank; ++i) {
    const int64_t dim = value.dims[i];
    const int64_t extent = tg_dim(dim, symbols.data());
    text += i ? ", " : "";
    if (dim < 0)
      text += function.symbols[-1 - dim]->name;
    if (extent >= 0)
      text += (dim < 0 ? " = " : "") + std::to_string(extent);
  }
  return text + "]";
}

/// Returns the shape of a tensor: "[2, 4]", or "[] of one number" for a scalar.
inline std::string describeShape(const tg_tensor_t &tensor) {
  std::string text = "[";
  for (int32_t i = 0; i < tensor.ndim; ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + (tensor.ndim ? "]" : "] of one number");
}

} // namespace detail

/// Infers the shape of flat elements from their input.
inline void Context::inferShape(const tg_function_t &function,
                                const tg_value_t &value, Value &argument,
                                const std::vector<int64_t> &symbols) {
  size_t known = 1, unknown = 0;
  argument.dims.clear();
  for (uint32_t i = 0; i < value.rank; ++i) {
    const int64_t dim = tg_dim(value.dims[i], symbols.data());
    argument.dims.push_back(dim);
    if (dim < 0)
      ++unknown;
    else
      known *= static_cast<size_t>(dim);
  }
  const bool fits =
      unknown == 0 ? known == argument.elements
                   : unknown == 1 && known && argument.elements % known == 0;
  if (!fits) {
    const std::string expected =
        unknown == 0 || known == 0 ? std::to_string(known)
        : unknown == 1             ? "a multiple of " + std::to_string(known)
                                   : "elements with a shape";
    throw RuntimeError(TG_ERROR_DIM,
                       std::string(function.name) + ": '" + value.name +
                           "' has " + std::to_string(argument.elements) +
                           " elements, expected " + expected + " for " +
                           detail::describeShape(function, value, symbols));
  }
  for (int64_t &dim : argument.dims)
    if (dim < 0)
      dim = static_cast<int64_t>(argument.elements / known);
}

namespace detail {
/// Returns true if the context supplies an input that the caller omits.
inline bool isSuppliedByContext(const tg_value_t &input) {
  return (input.flags & (TG_VALUE_SEED | TG_VALUE_CALL)) != 0;
}

/// Returns the given values in the order of the function's inputs, with null
/// for inputs that the context supplies. Throws if another input is missing,
/// with the unknown names in the message, or if a value is surplus.
inline std::vector<Value *> pickInputs(const tg_function_t &function,
                                       std::vector<Input> &inputs) {
  std::vector<Value *> picked(function.input_count);
  for (uint32_t i = 0; i < function.input_count; ++i)
    for (Input &input : inputs)
      if (input.name == function.inputs[i]->name)
        picked[i] = &input.value;
  // A value that is not picked is surplus: no input has its name, or another
  // value has the same name.
  std::string others;
  for (const Input &input : inputs) {
    bool isPicked = false;
    for (const Value *value : picked)
      isPicked |= value == &input.value;
    if (!isPicked)
      others += (others.empty() ? "'" : ", '") + std::string(input.name) + "'";
  }
  const std::string name = std::string(function.name) + ": ";
  for (uint32_t i = 0; i < function.input_count; ++i)
    if (!picked[i] && !isSuppliedByContext(*function.inputs[i]))
      throw RuntimeError(TG_ERROR_NOT_FOUND,
                         name + "no input '" + function.inputs[i]->name +
                             "' was given" +
                             (others.empty() ? "" : ", found " + others));
  if (!others.empty())
    throw RuntimeError(
        TG_ERROR_COUNT,
        name + std::to_string(inputs.size()) + " inputs, expected " +
            std::to_string(function.input_count) + "; too many: " + others);
  return picked;
}
} // namespace detail

inline std::vector<tg_tensor_t>
Context::prepareInputs(const tg_function_t &function,
                       std::vector<Input> &inputs,
                       std::vector<int64_t> &symbols) {
  const std::vector<Value *> values = detail::pickInputs(function, inputs);
  for (uint32_t i = 0; i < function.input_count; ++i)
    if (values[i])
      bind(*function.inputs[i], *values[i], symbols);
  std::vector<tg_tensor_t> tensors;
  for (uint32_t i = 0; i < function.input_count; ++i) {
    const tg_value_t &value = *function.inputs[i];
    if (!values[i]) {
      tensors.push_back({}); // the context supplies it
      continue;
    }
    Value &from = *values[i];
    if (from.kind == Value::Kind::Number && value.rank)
      throw RuntimeError(TG_ERROR_RANK,
                         std::string(function.name) + ": '" + value.name +
                             "' is a number, expected elements for " +
                             detail::describeShape(function, value, symbols));
    if (from.kind == Value::Kind::Number)
      from.convert(value.dtype, value.name);
    if (from.kind == Value::Kind::Flat) {
      inferShape(function, value, from, symbols);
      bind(value, from, symbols);
    }
    if (from.kind == Value::Kind::Shaped &&
        detail::count(from.dims) != from.elements)
      throw RuntimeError(TG_ERROR_DIM,
                         std::string(function.name) + ": '" + value.name +
                             "' has " + std::to_string(from.elements) +
                             " elements, expected " +
                             std::to_string(detail::count(from.dims)) +
                             " for the shape it was given");
    if (from.kind != Value::Kind::Tensor) {
      from.tensor.ndim = static_cast<int32_t>(from.dims.size());
      from.tensor.shape = from.dims.data();
    }
    if (from.tensor.ndim != static_cast<int32_t>(value.rank))
      throw RuntimeError(
          TG_ERROR_RANK,
          std::string(function.name) + ": '" + value.name + "' has shape " +
              detail::describeShape(from.tensor) + ", expected " +
              detail::describeShape(function, value, symbols));
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

/// Resizes `profile` for the steps of a function. Their costs are computed
/// again only if the extents changed.
inline tg_profile_t Context::prepareProfile(const tg_function_t &function,
                                            const std::vector<int64_t> &symbols,
                                            Profile &profile) {
  tg_profile_t made = {};
  made.struct_size = sizeof(made);
  if (!TG_HAS(tg_function_t, &function, step_count))
    return made; // the run reports the error
  made.step_count = function.step_count;
  for (auto *list :
       {&profile.begin, &profile.end, &profile.flops, &profile.bytes})
    list->resize(function.step_count);
  made.begin = profile.begin.data();
  made.end = profile.end.data();
  if (profile.symbols != symbols && function.costs)
    function.costs(&function, symbols.data(), profile.flops.data(),
                   profile.bytes.data());
  profile.symbols = symbols;
  return made;
}

inline std::unique_ptr<Context::Call>
Context::prepare(std::string_view name, std::vector<Input> inputs) {
  // The inputs and outputs of the outer run must not change.
  if (isRunning)
    throw RuntimeError(TG_ERROR_BUSY,
                       std::string(name) +
                           ": the context is running a function: expected a "
                           "call after the run, or another context");
  auto made = std::make_unique<Call>();
  made->index = findFunction(name);
  made->inputs = std::move(inputs);
  const tg_function_t &function = *model().functions[made->index];
  // One extra element, so that a function without symbols has an array too.
  made->symbols.assign(function.symbol_total + 1, -1);
  made->in = prepareInputs(function, made->inputs, made->symbols);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = made->symbols.data();
  detail::check(tg_context_plan, context.get(), made->index, &plan);
  made->out = prepareOutputs(function, made->symbols, results[made->index]);
  return made;
}

inline const Outputs &Context::endRun(const Call &ended, tg_status_t status,
                                      const tg_error_t &error,
                                      const detail::TraceState &trace) {
  isRunning = false;
  if (status != TG_OK) {
    prints->thrown = nullptr;
    throw RuntimeError(error);
  }
  rethrowPrint();
  if (trace.thrown)
    std::rethrow_exception(trace.thrown);
  // The buffers were allocated for the upper bounds of data-dependent sizes.
  Outputs &result = results[ended.index];
  for (Outputs::Output &output : result.outputs)
    output.bytes.resize(detail::count(output.dims) * (output.dtype.bits / 8));
  return result;
}

inline const Outputs &Context::run(std::string_view name,
                                   std::vector<Input> inputs, Profile *profile,
                                   const TraceFunction *trace) {
  const std::unique_ptr<Call> made = prepare(name, std::move(inputs));
  const tg_function_t &function = *model().functions[made->index];
  const uint32_t inCount = function.input_count,
                 outCount = function.output_count;
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  tg_profile_t times = {};
  if (profile)
    times = prepareProfile(function, made->symbols, *profile);
  detail::TraceState state = {trace};
  const tg_trace_t receiver = {sizeof(receiver), 0, &state,
                               detail::TraceState::record};
  isRunning = true;
  const tg_status_t status =
      trace ? tg_context_run_traced(context.get(), made->index, made->in.data(),
                                    inCount, made->out.data(), outCount,
                                    &receiver, &error)
      : profile
          ? tg_context_run_profiled(context.get(), made->index, made->in.data(),
                                    inCount, made->out.data(), outCount, &times,
                                    &error)
          : tg_context_run(context.get(), made->index, made->in.data(), inCount,
                           made->out.data(), outCount, &error);
  return endRun(*made, status, error, state);
}

inline void Context::begin(std::string_view name, std::vector<Input> inputs) {
  std::unique_ptr<Call> made = prepare(name, std::move(inputs));
  const tg_function_t &function = *model().functions[made->index];
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  isRunning = true;
  const tg_status_t status = tg_context_begin(
      context.get(), made->index, made->in.data(), function.input_count,
      made->out.data(), function.output_count, &error);
  if (status == TG_OK)
    call = std::move(made);
  else
    endRun(*made, status, error, {});
}

inline const Outputs &Context::finish() {
  if (!call)
    throw RuntimeError(
        isRunning ? TG_ERROR_BUSY : TG_ERROR_NOT_FOUND,
        isRunning ? "the context is running a function: expected a call of "
                    "finish after the run"
                  : "found no run to finish, expected a call of begin before");
  const std::unique_ptr<Call> ended = std::move(call);
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  const tg_status_t status = tg_context_finish(context.get(), &error);
  return endRun(*ended, status, error, {});
}

} // namespace tg

#endif // TG_RUNTIME_RUN_HPP
