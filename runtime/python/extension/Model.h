/// Loaded models, and the tables that calls from Python need of them.
#ifndef TG_RUNTIME_PYTHON_MODEL_H
#define TG_RUNTIME_PYTHON_MODEL_H

#include "Arrays.h"

namespace tg::python {

/// A function of a model, prepared for calls with Python's names.
struct Signature {
  const tg_function_t *function;
  uint32_t index;
  nb::dict inputs; // the index of an input by its name
  std::vector<nb::object> outputNames, outputTypes;
};

/// The tables of a model as Python objects. Shared by its contexts, which are
/// all used with the GIL.
struct Tables {
  explicit Tables(const tg_model_t &model);

  const tg_model_t &model;
  ArrayMaker arrays;
  nb::object outputsType; // tgc.Outputs
  nb::tuple noIndex;      // the index of the element of a scalar
  nb::dict functions;     // the index of a function by its name
  std::vector<Signature> signatures;
  nb::object description; // made when it is asked for
};

/// A model, the Python class tgc.Model.
class ModelObject {
public:
  ModelObject(Model loaded, std::string origin)
      : model(std::move(loaded)), origin(std::move(origin)),
        tables(std::make_shared<Tables>(model.tables())) {}

  /// Returns the functions and variables, a tgc._description.Description.
  nb::object description() const;

  Model model;
  std::string origin; // path of the file, or a description
  std::shared_ptr<Tables> tables;
};

/// Adds tgc.Model and the functions that load one to the module.
void bindModel(nb::module_ &module);

/// Returns the text of a path: str, bytes or an object with __fspath__. Throws
/// for a path with a zero byte.
std::string pathOf(nb::handle path);

} // namespace tg::python

#endif // TG_RUNTIME_PYTHON_MODEL_H
