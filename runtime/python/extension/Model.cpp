/// Binds tgc.Model.
#include "Model.h"

#include "Context.h"
#include "Docs.h"
#include "Gil.h"

namespace tg::python {

//===-- Tables -----------------------------------------------------------===//

/// Returns a string that dictionaries find fast, since it is the same object as
/// the name in a Python program.
static nb::object intern(const char *name) {
  return nb::steal(PyUnicode_InternFromString(name));
}

static Signature makeSignature(const tg_function_t &function, uint32_t index,
                               const ArrayMaker &arrays) {
  Signature made{&function, index, nb::dict(), {}, {}};
  for (uint32_t i = 0; i < function.input_count; ++i)
    made.inputs[intern(function.inputs[i]->name)] = i;
  for (uint32_t i = 0; i < function.output_count; ++i) {
    made.outputNames.push_back(intern(function.outputs[i]->name));
    made.outputTypes.push_back(arrays.dtype(function.outputs[i]->dtype));
  }
  return made;
}

Tables::Tables(const tg_model_t &model)
    : model(model),
      outputsType(nb::module_::import_("tgc._outputs").attr("Outputs")) {
  for (uint32_t i = 0; i < model.function_count; ++i) {
    functions[intern(model.functions[i]->name)] = i;
    signatures.push_back(makeSignature(*model.functions[i], i, arrays));
  }
}

//===-- Descriptions -----------------------------------------------------===//

/// Returns dims as a tuple of numbers, and of names of symbols.
static nb::tuple describeDims(const int64_t *dims, uint32_t rank,
                              const tg_symbol_t *const *symbols) {
  nb::list made;
  for (uint32_t i = 0; i < rank; ++i)
    if (dims[i] >= 0)
      made.append(dims[i]);
    else
      made.append(symbols[-1 - dims[i]]->name);
  return nb::tuple(made);
}

static nb::list describeValues(const tg_value_t *const *values, uint32_t count,
                               const tg_symbol_t *const *symbols) {
  nb::list made;
  for (uint32_t i = 0; i < count; ++i) {
    const tg_value_t &value = *values[i];
    made.append(nb::make_tuple(value.name, numpyName(value.dtype),
                               describeDims(value.dims, value.rank, symbols),
                               detail::isSuppliedByContext(value)));
  }
  return made;
}

/// Returns the steps of a function, with the locations of the model.
static nb::list describeSteps(const tg_function_t &function,
                              const tg_model_t &model) {
  nb::list made;
  if (!TG_HAS(tg_function_t, &function, step_count))
    return made;
  for (uint32_t i = 0; i < function.step_count; ++i) {
    const tg_step_t &step = *function.steps[i];
    made.append(nb::make_tuple(step.name, step.ops, step.layers,
                               locationOf(step.location, model)));
  }
  return made;
}

static nb::tuple describeFunction(const tg_function_t &function,
                                  const tg_model_t &model) {
  nb::list symbols, hosts;
  for (uint32_t i = 0; i < function.symbol_total; ++i) {
    const tg_symbol_t &symbol = *function.symbols[i];
    symbols.append(nb::make_tuple(symbol.name, symbol.minimum, symbol.maximum,
                                  symbol.multiple, i < function.symbol_count));
  }
  if (TG_HAS(tg_function_t, &function, host_functions))
    for (uint32_t i = 0; i < function.host_function_count; ++i)
      hosts.append(function.host_functions[i]->name);
  return nb::make_tuple(
      function.name,
      describeValues(function.inputs, function.input_count, function.symbols),
      describeValues(function.outputs, function.output_count, function.symbols),
      symbols, hosts, (function.flags & TG_FUNCTION_WRITES_VARIABLES) != 0,
      describeSteps(function, model));
}

nb::object ModelObject::description() const {
  if (tables->description.is_valid())
    return tables->description;
  nb::list functions, variables;
  const tg_model_t &model = tables->model;
  for (uint32_t i = 0; i < model.function_count; ++i)
    functions.append(describeFunction(*model.functions[i], model));
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    const tg_variable_t &variable = *model.variables[i];
    variables.append(nb::make_tuple(
        variable.name, numpyName(variable.dtype),
        describeDims(variable.dims, variable.rank, nullptr), variable.role,
        (variable.flags & TG_VARIABLE_TRAINABLE) != 0, variable.owner,
        variable.bytes));
  }
  return tables->description =
             nb::module_::import_("tgc._description")
                 .attr("Description")(model.name, functions, variables);
}

//===-- Loading ----------------------------------------------------------===//

std::string pathOf(nb::handle path) {
  PyObject *bytes = nullptr;
  if (!PyUnicode_FSConverter(path.ptr(), &bytes))
    throw nb::python_error();
  const nb::bytes made = nb::steal<nb::bytes>(bytes);
  return {made.c_str(), made.size()};
}

/// Returns the number of a target by its name, as in `tgc-run --target`.
static uint32_t targetOf(const std::optional<std::string> &name) {
  if (!name)
    return TG_TARGET_BEST;
  for (uint32_t level = TG_TARGET_X86_64_V2; level <= TG_TARGET_X86_64_V4;
       ++level)
    if (*name == "x86-64-v" + std::to_string(level))
      return level;
  fail(TG_ERROR_NOT_FOUND, "target '" + *name +
                               "', expected x86-64-v2, x86-64-v3 or "
                               "x86-64-v4");
}

/// Returns the device of a name: "cpu", "cuda" or "cuda:1".
static tg_device_t deviceOf(const std::string &name) {
  if (name == "cpu")
    return {TG_DEVICE_CPU, 0};
  const std::string prefix = "cuda:";
  const std::string number = name == "cuda" ? "0"
                             : name.compare(0, prefix.size(), prefix) == 0
                                 ? name.substr(prefix.size())
                                 : std::string();
  if (number.empty() || number.size() > 4 ||
      number.find_first_not_of("0123456789") != std::string::npos)
    fail(TG_ERROR_NOT_FOUND,
         "device '" + name + "', expected cpu, cuda or cuda:<number>");
  return {TG_DEVICE_CUDA, std::stoi(number)};
}

/// Returns a hook that asks a Python function whether to load a file. Its
/// exception, which `thrown` keeps, also refuses the file.
static std::function<bool(std::span<const std::byte>)>
makeVerify(const nb::object &ask, std::exception_ptr &thrown) {
  if (ask.is_none())
    return {};
  return [&ask, &thrown](std::span<const std::byte> file) {
    const nb::gil_scoped_acquire gil;
    try {
      const auto *begin = reinterpret_cast<const char *>(file.data());
      return nb::cast<bool>(nb::bool_(ask(nb::bytes(begin, file.size()))));
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
}

/// The options of tgc.load().
struct LoadArguments {
  const std::string &device;
  const std::optional<std::string> &target;
  bool withoutTrailer;
  const nb::object &verify;
};

/// Loads a model by `load`, a call of tg::Model, without the GIL.
template <typename Load>
static ModelObject loadWith(const LoadArguments &arguments, std::string origin,
                            Load load) {
  OpenOptions options;
  options.device = deviceOf(arguments.device);
  options.target = targetOf(arguments.target);
  options.withoutTrailer = arguments.withoutTrailer;
  std::exception_ptr thrown;
  options.hooks.verify = makeVerify(arguments.verify, thrown);
  std::optional<Model> model;
  try {
    withoutGil([&] { model = load(options); });
  } catch (const RuntimeError &) {
    if (thrown)
      std::rethrow_exception(thrown);
    throw;
  }
  return ModelObject(std::move(*model), std::move(origin));
}

static ModelObject load(nb::handle path, const std::string &device,
                        const std::optional<std::string> &target,
                        bool withoutTrailer, const nb::object &verify) {
  const std::string file = pathOf(path);
  return loadWith(
      {device, target, withoutTrailer, verify}, file,
      [&](const OpenOptions &options) { return Model::load(file, options); });
}

static ModelObject loadBytes(const nb::bytes &content,
                             const std::string &device,
                             const std::optional<std::string> &target,
                             bool withoutTrailer, const nb::object &verify) {
  const std::span bytes(static_cast<const std::byte *>(content.data()),
                        content.size());
  return loadWith({device, target, withoutTrailer, verify}, "<bytes>",
                  [&](const OpenOptions &options) {
                    return Model::loadMemory(bytes, options);
                  });
}

//===-- Bindings ---------------------------------------------------------===//

/// Returns a set of variables, or nothing for None.
static std::optional<Variables> variablesOf(nb::handle value) {
  if (value.is_none())
    return std::nullopt;
  Variables *variables = nullptr;
  if (!nb::try_cast(value, variables))
    throw nb::type_error((std::string("variables is ") +
                          nb::repr(value).c_str() +
                          ", expected a tgc.SharedVariables")
                             .c_str());
  return *variables;
}

static std::unique_ptr<ContextObject> makeContext(const ModelObject &self,
                                                  const nb::args &positional,
                                                  const nb::kwargs &named) {
  // A function of Python checks the names, and has the defaults.
  const auto options =
      nb::borrow<nb::tuple>(nb::module_::import_("tgc._convert")
                                .attr("context")(*positional, **named));
  const nb::object seed = options[1];
  ContextArguments arguments{options[0],
                             {},
                             nb::cast<bool>(options[4]),
                             variablesOf(options[5]),
                             integerOf(options[6], "stream")};
  if (!seed.is_none())
    arguments.seed = integerOf(seed, "seed");
  return std::make_unique<ContextObject>(
      self, arguments,
      std::make_unique<HostState>(nb::borrow<nb::dict>(options[2]),
                                  options[3]));
}

static void saveBlock(const ModelObject &self, const nb::bytes &block,
                      nb::handle path, const nb::dict &entries) {
  CheckpointEntries texts;
  for (auto [key, value] : entries)
    texts.emplace(textOf(key, "a key of entries"),
                  textOf(value, "a value of entries"));
  const std::string file = pathOf(path);
  const std::span bytes(static_cast<const std::byte *>(block.data()),
                        block.size());
  withoutGil([&] { self.model.save(bytes, texts, file); });
}

static void publish(const ModelObject &self, ContextObject &source) {
  const ContextObject::Use use(source, "publish");
  withoutGil([&] { self.model.publish(source.context()); });
}

static nb::dict readEntries(nb::handle path) {
  const std::string file = pathOf(path);
  const CheckpointEntries entries =
      withoutGil([&] { return readCheckpointEntries(file); });
  nb::dict made;
  for (const auto &[key, value] : entries)
    made[nb::str(key.c_str())] = value;
  return made;
}

void bindModel(nb::module_ &module) {
  nb::class_<ModelObject>(module, "Model", docs::model)
      .def_prop_ro(
          "name",
          [](const ModelObject &self) { return self.tables->model.name; },
          docs::name)
      .def_prop_ro(
          "origin", [](const ModelObject &self) { return self.origin; },
          docs::origin)
      .def_prop_ro(
          "metadata",
          [](const ModelObject &self) {
            return nb::module_::import_("json").attr("loads")(
                self.tables->model.metadata);
          },
          nb::sig(docs::metadataSignature), docs::metadata)
      .def_prop_ro(
          "functions",
          [](const ModelObject &self) {
            return self.description().attr("functions");
          },
          nb::sig(docs::functionsSignature), docs::functions)
      .def_prop_ro(
          "variables",
          [](const ModelObject &self) {
            return self.description().attr("variables");
          },
          nb::sig(docs::variablesSignature), docs::variables)
      .def("__repr__",
           [](const ModelObject &self) {
             return nb::cast<std::string>(self.description().attr("short")());
           })
      .def("__str__",
           [](const ModelObject &self) {
             return nb::cast<std::string>(self.description().attr("text")());
           })
      .def("__reduce__",
           [](const ModelObject &) {
             throw nb::type_error("a tgc.Model cannot be copied or pickled: "
                                  "contexts share it, and other processes load "
                                  "its file");
           })
      .def("context", &makeContext, nb::sig(docs::contextSignature),
           docs::context)
      .def("publish", &publish, nb::arg("source"), docs::publish)
      .def("save", &saveBlock, nb::arg("snapshot"), nb::arg("path"),
           nb::arg("entries") = nb::dict(), nb::sig(docs::saveSignature),
           docs::saveBlock);
  module.def("load", &load, nb::arg("path"), nb::kw_only(),
             nb::arg("device") = "cpu", nb::arg("target") = nb::none(),
             nb::arg("without_trailer") = false, nb::arg("verify") = nb::none(),
             nb::sig(docs::loadSignature), docs::load);
  module.def("load_bytes", &loadBytes, nb::arg("content"), nb::kw_only(),
             nb::arg("device") = "cpu", nb::arg("target") = nb::none(),
             nb::arg("without_trailer") = false, nb::arg("verify") = nb::none(),
             nb::sig(docs::loadBytesSignature), docs::loadBytes);
  module.def("checkpoint_entries", &readEntries, nb::arg("path"),
             nb::sig(docs::entriesSignature), docs::entries);
}

} // namespace tg::python
