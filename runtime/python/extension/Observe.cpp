/// Runs whose steps Python observes: their times, and their results.
#include "Context.h"

namespace tg::python {

/// Returns the steps of a function, a tuple of tgc.Step.
static nb::tuple stepsOf(const ModelObject &model, const Signature &signature) {
  const nb::object functions = model.description().attr("functions");
  return nb::tuple(functions[signature.function->name].attr("steps"));
}

//===-- Times ------------------------------------------------------------===//

nb::object ContextObject::profile(const nb::args &arguments,
                                  const nb::kwargs &named) {
  const Use use(*this, "profile");
  prepare("profile", arguments, named);
  const tg_function_t &function = *call.signature->function;
  const nb::tuple steps = stepsOf(model, *call.signature);
  const size_t count = nb::len(steps);
  // One element more, so that a function without steps has arrays too.
  std::vector<uint64_t> begin(count + 1), end(count + 1), flops(count + 1),
      bytes(count + 1);
  tg_profile_t times = {};
  times.struct_size = sizeof(times);
  times.step_count = static_cast<uint32_t>(count);
  times.begin = begin.data();
  times.end = end.data();
  runCall(tg_context_run_profiled, &times);
  if (count && function.costs)
    function.costs(&function, call.symbols.data(), flops.data(), bytes.data());
  nb::list rows;
  for (size_t i = 0; i < count; ++i)
    rows.append(nb::make_tuple(nb::object(steps[i]), end[i] - begin[i],
                               flops[i], bytes[i]));
  return nb::module_::import_("tgc._profile")
      .attr("make")(function.name, takeOutputs(), rows);
}

//===-- Results ----------------------------------------------------------===//

namespace {

/// The receiver of the results of a run.
struct Trace {
  nb::tuple steps;
  nb::handle record; // a Python function
  HostState &host;
  const ArrayMaker &arrays;

  /// Returns a copy of the elements of a result.
  nb::object copyOf(const tg_step_result_t &result) const {
    const uint64_t bytes = result.rows * result.row_bytes;
    const nb::object array = arrays.empty(
        {static_cast<int64_t>(bytes / ((result.dtype.bits + 7) / 8))},
        arrays.dtype(result.dtype));
    const nb::ndarray<> view = nb::cast<nb::ndarray<>>(array);
    auto *into = static_cast<char *>(view.data());
    const auto *from = static_cast<const char *>(result.data);
    for (uint64_t row = 0; row < result.rows && bytes; ++row)
      std::memcpy(into + row * result.row_bytes, from + row * result.row_stride,
                  result.row_bytes);
    return array;
  }

  static void receive(void *user, uint32_t step, uint32_t,
                      const tg_step_result_t *result) {
    const nb::gil_scoped_acquire gil;
    const Trace &trace = *static_cast<Trace *>(user);
    trace.host.attempt(
        [&] { trace.record(trace.steps[step], trace.copyOf(*result)); });
  }
};

} // namespace

nb::object ContextObject::trace(const nb::args &arguments,
                                const nb::kwargs &named) {
  const Use use(*this, "trace");
  const nb::object record =
      arguments.size() > 1 ? nb::object(arguments[1]) : nb::none();
  if (!PyCallable_Check(record.ptr()))
    throw nb::type_error((std::string("trace(): the receiver of results is ") +
                          nb::repr(record).c_str() + ", expected a function")
                             .c_str());
  prepare("trace", arguments, named, /*count=*/2);
  Trace trace{stepsOf(model, *call.signature), record, *host,
              model.tables->arrays};
  const tg_trace_t receiver = {sizeof(receiver), 0, &trace, Trace::receive};
  runCall(tg_context_run_traced, &receiver);
  return takeOutputs();
}

} // namespace tg::python
