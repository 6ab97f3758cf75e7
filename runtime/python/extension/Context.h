/// Contexts of models: the Python class tgc.Context.
#ifndef TG_RUNTIME_PYTHON_CONTEXT_H
#define TG_RUNTIME_PYTHON_CONTEXT_H

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

/// A context, and the objects that it uses. All member functions need the GIL,
/// which they release while libtgrt works.
class ContextObject {
public:
  ContextObject(const ModelObject &model, const ContextArguments &arguments,
                std::unique_ptr<HostState> host);

  /// The use of a context by one call at a time. Throws tgc.BusyError if
  /// another call uses it, on this thread or another one.
  class Use {
  public:
    Use(ContextObject &context, const char *call);
    ~Use() { context.isUsed = false; }

  private:
    ContextObject &context;
  };

  /// Runs a function: run(function, inputs, out=, **inputs).
  nb::object run(const nb::args &arguments, const nb::kwargs &named);

  void init(int64_t seed);
  void setSeed(int64_t seed);
  void save(nb::handle path, const nb::dict &entries);
  void load(nb::handle path, bool ignoreOthers, const nb::dict &renames,
            const std::string &stripPrefix, const std::string &addPrefix);
  nb::bytes snapshot();
  void restore(const nb::bytes &block);
  nb::object get(const std::string &variable);
  void set(const std::string &variable, nb::handle value);

  Context &context() { return *made; }

  /// Visits or drops the Python objects that may refer to this one.
  int traverse(visitproc visit, void *arg) const {
    return host->traverse(visit, arg);
  }
  void drop() { host->drop(); }

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
  void runCall();
  nb::object takeOutputs();
  nb::object takeOutput(uint32_t output);

  /// Calls a function without the GIL. Throws the exception that a function of
  /// the host raised within it.
  template <typename Function> void callModel(Function function);

  void *stream;
  std::unique_ptr<HostState> host;
  std::optional<Context> made;
  Call call;
  /// The symbols of each function that the workspace was planned for last.
  std::vector<std::vector<int64_t>> planned;
  bool isUsed = false;
};

/// Adds tgc.Context, and the objects that contexts share, to the module.
void bindContext(nb::module_ &module);

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_CONTEXT_H
