/// Contexts of models: the Python class tgc.Context.
#ifndef TG_RUNTIME_PYTHON_CONTEXT_H
#define TG_RUNTIME_PYTHON_CONTEXT_H

#include "Gil.h"
#include "Host.h"
#include "Model.h"

#include <optional>

namespace tg::python {

/// A call of a function. Its memory is used again by the next call.
struct Call {
  /// Begins a call: makes room for the values of the function.
  void begin(const Signature &signature);
  /// Ends the use of all values.
  void end();
  /// Visits the values, for the garbage collector.
  int traverse(visitproc visit, void *arg) const;

  const Signature *signature = nullptr;
  std::unique_ptr<Array[]> values;  // inputs, then outputs
  size_t room = 0;                  // of values
  std::vector<tg_tensor_t> tensors; // inputs, then outputs
  std::vector<int64_t> symbols;
  std::vector<std::vector<int64_t>> shapes; // of outputs
  std::vector<nb::object> results;          // of outputs
  std::vector<bool> isGiven;                // of inputs
  std::vector<bool> isMade; // of outputs: not memory of the caller
  size_t surplus = 0;       // values that belong to no input
};

/// The options of Model.context(), except its functions of the host.
struct ContextArguments {
  nb::object threads; // a number or a tgc.Pool
  std::optional<int64_t> seed;
  bool shared;
  std::optional<Variables> variables;
  intptr_t stream;
};

class RunObject;

/// A context, and the objects that it uses. All member functions need the GIL,
/// which they release while libtgrt works.
class ContextObject {
public:
  ContextObject(const ModelObject &model, const ContextArguments &arguments,
                std::unique_ptr<HostState> host);

  /// The use of a context by one call at a time, with the values of the call.
  /// It goes on after a call that began a run. Throws tgc.BusyError if another
  /// call uses the context, on this thread or another one.
  class Use {
  public:
    Use(ContextObject &context, const char *call);
    ~Use() {
      if (!context.begun)
        context.endUse();
    }

  private:
    ContextObject &context;
  };

  /// Runs a function: run(function, inputs, out=, **inputs).
  nb::object run(const nb::args &arguments, const nb::kwargs &named);
  /// The same, and returns a tgc.Profile.
  nb::object profile(const nb::args &arguments, const nb::kwargs &named);
  /// The same as run(), with a receiver of results after the function's name.
  nb::object trace(const nb::args &arguments, const nb::kwargs &named);
  /// Begins a run, and returns it as a tgc.Run.
  nb::object begin(const nb::args &arguments, const nb::kwargs &named);
  /// Waits for the end of the run of this object, and returns its outputs.
  nb::object finish(const RunObject &run);
  /// Waits for the end of that run, if it has not ended, and drops its result.
  void abandon(const RunObject &run) noexcept;

  void init(nb::handle seed);
  void setSeed(nb::handle seed);
  void save(nb::handle path, const nb::dict &entries);
  void load(nb::handle path, bool ignoreOthers, const nb::dict &renames,
            const std::string &stripPrefix, const std::string &addPrefix);
  nb::bytes snapshot();
  void restore(const nb::bytes &block);
  nb::object get(const std::string &variable);
  void set(const std::string &variable, nb::handle value);

  Context &context() { return *made; }

  /// Visits or drops the Python objects that may refer to this one.
  int traverse(visitproc visit, void *arg) const;
  void drop() noexcept;

  const ModelObject model; // keeps the model loaded

private:
  const Signature &findFunction(nb::handle name);
  uint32_t findVariable(const std::string &name) const;
  void giveInputs(nb::handle inputs, const nb::kwargs &named);
  void giveInput(nb::handle name, nb::handle value);
  nb::object mappingOf(nb::handle argument, const char *kind) const;
  [[noreturn]] void failNames(const char *kind, nb::handle found,
                              bool isKey) const;
  [[noreturn]] void failInputs(nb::handle inputs, const nb::kwargs &named);
  void bindSymbols();
  void plan();
  void makeOutputs(nb::handle out);
  void failOutputs(nb::handle out);
  /// Prepares the call of a function, with its inputs in a mapping or null.
  void prepare(nb::handle function, nb::handle inputs, const nb::kwargs &named);
  /// The same for the arguments of a Python method. `count` of them are
  /// required, the first one is the name of the function, and a mapping may
  /// follow.
  void prepare(const char *method, const nb::args &arguments,
               const nb::kwargs &named, size_t count = 1);
  void checkCall(tg_status_t status, const ErrorBuffer &error);
  nb::object takeOutputs();
  nb::object takeOutput(uint32_t output);

  /// Calls a function without the GIL. Throws the exception that a function of
  /// the host raised within it.
  template <typename Function> void callModel(Function function);
  /// Runs the prepared call by a function of libtgrt, in the same way.
  template <typename Function, typename... Observer>
  void runCall(Function *function, const Observer *...observer);
  void endUse();

  void *stream;
  std::unique_ptr<HostState> host;
  std::optional<Context> made;
  Call call;
  /// The symbols of each function that the workspace was planned for last.
  std::vector<std::vector<int64_t>> planned;
  bool isUsed = false;
  const RunObject *begun = nullptr; // the run that has begun, and not ended
  bool isEnding = false;            // within its finish()
};

template <typename Function, typename... Observer>
void ContextObject::runCall(Function *function, const Observer *...observer) {
  const tg_function_t &called = *call.signature->function;
  ErrorBuffer error;
  host->clear();
  const tg_status_t status = withoutGil([&] {
    return function(made->handle(), call.signature->index, call.tensors.data(),
                    called.input_count,
                    call.tensors.data() + called.input_count,
                    called.output_count, observer..., &error);
  });
  checkCall(status, error);
}

/// A run that has begun, the Python class tgc.Run. It keeps its context, which
/// has the values of the run. The same rules as for a context.
class RunObject {
public:
  explicit RunObject(nb::object context) : context(std::move(context)) {}
  RunObject(const RunObject &) = delete;
  RunObject &operator=(const RunObject &) = delete;
  ~RunObject() { drop(); }

  nb::object finish();

  int traverse(visitproc visit, void *arg) const;
  void drop() noexcept;

private:
  nb::object context;
};

/// Adds tgc.Context, and the objects that contexts share, to the module.
void bindContext(nb::module_ &module);

/// Adds tgc.Run to the module, before functions that return one.
void bindRun(nb::module_ &module);

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_CONTEXT_H
