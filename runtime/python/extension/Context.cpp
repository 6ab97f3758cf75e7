/// Binds tgc.Context, except for its runs.
#include "Context.h"

#include "Collected.h"
#include "Docs.h"

namespace tg::python {

//===-- Creation ---------------------------------------------------------===//

template <typename Function> void ContextObject::callModel(Function function) {
  host->clear();
  try {
    withoutGil(function);
  } catch (const RuntimeError &error) {
    host->rethrow(&error.details(), &model.tables->model);
    raise(error.details(), &model.tables->model);
  }
  host->rethrow(nullptr, nullptr);
}

/// Returns the options of the C++ interface.
static ContextOptions toOptions(const ContextArguments &arguments) {
  ContextOptions options;
  if (Pool *pool = nullptr; nb::try_cast(arguments.threads, pool) && pool)
    options.pool = *pool;
  else if (!nb::try_cast(arguments.threads, options.threads))
    throw nb::type_error((std::string("threads is ") +
                          nb::repr(arguments.threads).c_str() +
                          ", expected a number of threads, or a tgc.Pool")
                             .c_str());
  options.seed = arguments.seed;
  options.shared = arguments.shared;
  options.variables = arguments.variables;
  options.stream = reinterpret_cast<void *>(arguments.stream);
  return options;
}

ContextObject::ContextObject(const ModelObject &model,
                             const ContextArguments &arguments,
                             std::unique_ptr<HostState> functions)
    : model(model), stream(reinterpret_cast<void *>(arguments.stream)),
      host(std::move(functions)), planned(model.tables->signatures.size()) {
  ContextOptions options = toOptions(arguments);
  host->addTo(options.host);
  callModel([&] { made.emplace(model.model.context(options)); });
}

ContextObject::Use::Use(ContextObject &context, const char *call)
    : context(context) {
  if (context.begun && !context.isEnding)
    fail(TG_ERROR_BUSY, std::string(call) + ": the context is running '" +
                            context.call.signature->function->name +
                            "', expected a call after finish() of that run, "
                            "or another context");
  if (context.isUsed)
    fail(TG_ERROR_BUSY, std::string(call) +
                            ": the context is running another call, expected "
                            "one call at a time, or another context");
  context.isUsed = true;
}

void ContextObject::endUse() {
  call.end();
  isUsed = false;
}

int ContextObject::traverse(visitproc visit, void *arg) const {
  if (const int stop = host->traverse(visit, arg))
    return stop;
  // The values of other calls are those of functions on the stack.
  return begun ? call.traverse(visit, arg) : 0;
}

void ContextObject::drop() noexcept {
  if (begun)
    abandon(*begun);
  host->drop();
}

//===-- State ------------------------------------------------------------===//

void ContextObject::init(nb::handle given) {
  const Use use(*this, "init");
  const int64_t seed = integerOf(given, "seed");
  callModel([&] { made->init(seed); });
}

void ContextObject::setSeed(nb::handle given) {
  const Use use(*this, "set_seed");
  const int64_t seed = integerOf(given, "seed");
  callModel([&] { made->setSeed(seed); });
}

void ContextObject::save(nb::handle path, const nb::dict &entries) {
  if (entries.size()) {
    nb::cast(this, nb::rv_policy::reference)
        .attr("model")
        .attr("save")(snapshot(), path, entries);
    return;
  }
  const Use use(*this, "save");
  const std::string file = pathOf(path);
  callModel([&] { made->save(file); });
}

void ContextObject::load(nb::handle path, bool ignoreOthers,
                         const nb::dict &renames,
                         const std::string &stripPrefix,
                         const std::string &addPrefix) {
  const Use use(*this, "load");
  LoadOptions options;
  options.ignoreOthers = ignoreOthers;
  options.stripPrefix = stripPrefix;
  options.addPrefix = addPrefix;
  for (auto [tensor, variable] : renames) {
    std::string name = textOf(variable, "a new name of renames");
    const bool isTransposed = name.ends_with(".T");
    if (isTransposed)
      name.resize(name.size() - 2);
    options.renames.push_back(
        {textOf(tensor, "a name of renames"), std::move(name), isTransposed});
  }
  const std::string file = pathOf(path);
  callModel([&] { made->load(file, options); });
}

nb::bytes ContextObject::snapshot() {
  const Use use(*this, "snapshot");
  const uint64_t bytes = model.tables->model.slab_bytes;
  const nb::bytes block = nb::steal<nb::bytes>(
      PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
  if (!block.is_valid())
    throw nb::python_error();
  void *into = const_cast<void *>(block.data());
  callModel([&] {
    detail::check(tg_context_export_variables,
                  static_cast<const tg_context_t *>(made->handle()), into,
                  bytes);
  });
  return block;
}

void ContextObject::restore(const nb::bytes &block) {
  const Use use(*this, "restore");
  const std::span bytes(static_cast<const std::byte *>(block.data()),
                        block.size());
  callModel([&] { made->restore(bytes); });
}

uint32_t ContextObject::findVariable(const std::string &name) const {
  uint32_t index = 0;
  detail::check(tg_module_find_variable,
                static_cast<const tg_module_t *>(model.model.handle()),
                name.c_str(), &index);
  return index;
}

nb::object ContextObject::get(const std::string &name) {
  const Use use(*this, "get");
  const uint32_t index = findVariable(name);
  const tg_variable_t &variable = *model.tables->model.variables[index];
  const ArrayMaker &arrays = model.tables->arrays;
  const nb::object array =
      arrays.empty({variable.dims, variable.dims + variable.rank},
                   arrays.dtype(variable.dtype));
  Array value;
  value.refer(array, variable, Array::Access::Write);
  callModel([&] {
    detail::check(tg_context_get_variable,
                  static_cast<const tg_context_t *>(made->handle()), index,
                  &value.tensor());
  });
  return array;
}

void ContextObject::set(const std::string &name, nb::handle given) {
  const Use use(*this, "set");
  const uint32_t index = findVariable(name);
  Array value;
  value.refer(given, *model.tables->model.variables[index],
              Array::Access::Read);
  callModel([&] {
    detail::check(tg_context_set_variable, made->handle(), index,
                  &value.tensor());
  });
}

//===-- Bindings ---------------------------------------------------------===//

/// Refuses an attribute that a context does not have.
static void refuseAttribute(nb::handle self, nb::handle name) {
  raiseMade("no_attribute", self, name);
}

static void refuseCopy(nb::handle) {
  throw nb::type_error("a tgc.Context cannot be copied or pickled: "
                       "model.context() makes another one, and snapshot() and "
                       "restore() copy the variables");
}

static void bindShared(nb::module_ &module) {
  nb::class_<Pool>(module, "Pool", docs::pool)
      .def(nb::init<uint32_t>(), nb::arg("threads") = 0)
      .def_prop_ro("threads", &Pool::workers, docs::poolThreads);
  nb::class_<Variables>(module, "SharedVariables", docs::sharedVariables)
      .def(
          "__init__",
          [](Variables *self, bool startAtZero) {
            new (self) Variables(startAtZero);
          },
          nb::arg("start_at_zero") = false);
}

void bindContext(nb::module_ &module) {
  bindShared(module);
  bindRun(module);
  nb::class_<ContextObject>(module, "Context",
                            nb::type_slots(Collected<ContextObject>::slots),
                            docs::contextClass)
      .def_ro("model", &ContextObject::model, docs::contextModel)
      .def_prop_ro(
          "variables",
          [](nb::handle self) {
            return nb::module_::import_("tgc._description")
                .attr("ContextVariables")(self);
          },
          nb::sig(docs::contextVariablesSignature), docs::contextVariables)
      .def("__repr__",
           [](const ContextObject &self) {
             return std::string("<tgc.Context of '") +
                    self.model.tables->model.name + "'>";
           })
      .def("run", &ContextObject::run, nb::sig(docs::runSignature), docs::run)
      .def("begin", &ContextObject::begin, nb::sig(docs::beginSignature),
           docs::begin)
      .def("profile", &ContextObject::profile, nb::sig(docs::profileSignature),
           docs::profile)
      .def("trace", &ContextObject::trace, nb::sig(docs::traceSignature),
           docs::trace)
      .def("__getattr__", &refuseAttribute)
      .def("__reduce__", &refuseCopy)
      .def("init", &ContextObject::init, nb::arg("seed"),
           nb::sig(docs::initSignature), docs::init)
      .def("set_seed", &ContextObject::setSeed, nb::arg("seed"),
           nb::sig(docs::setSeedSignature), docs::setSeed)
      .def("save", &ContextObject::save, nb::arg("path"),
           nb::arg("entries") = nb::dict(), nb::sig(docs::contextSaveSignature),
           docs::save)
      .def("load", &ContextObject::load, nb::arg("path"), nb::kw_only(),
           nb::arg("ignore_others") = false, nb::arg("renames") = nb::dict(),
           nb::arg("strip_prefix") = "", nb::arg("add_prefix") = "",
           nb::sig(docs::contextLoadSignature), docs::contextLoad)
      .def("snapshot", &ContextObject::snapshot, docs::snapshot)
      .def("restore", &ContextObject::restore, nb::arg("snapshot"),
           docs::restore)
      .def("get", &ContextObject::get, nb::arg("variable"),
           nb::sig(docs::getSignature), docs::get)
      .def("set", &ContextObject::set, nb::arg("variable"), nb::arg("value"),
           nb::sig(docs::setSignature), docs::set);
}

} // namespace tg::python
