/// Towers: copies of a network, built for training and again for prediction.
#ifndef TG_SYMBOLIC_TOWER_H
#define TG_SYMBOLIC_TOWER_H

#include "../graph/variable_scope.h"

#include <functional>

namespace tg::symbolic {

struct TowerOptions {
  /// Enables batch statistics in normalizations, dropout and penalties.
  /// Otherwise the tower predicts.
  bool isTraining = false;
  /// The index of this training tower, and the number of training towers.
  int64_t index = 0, total = 1;
  /// The scope of the tower's own variables; "" for the root scope.
  std::string variableScope = {};
};

/// The tower in which layers are built. BatchNorm, Dropout and regularizeCost
/// require one. During its lifetime, names of values begin with name/, or with
/// variableScope/name/ if the variable scope has another name. Only one tower
/// can be open per thread.
///
/// A training tower must be opened in the root variable scope. Towers reuse
/// existing variables within a VariableScope with Reuse::yes, in training and
/// in prediction, so a network can be built again, also for training on other
/// inputs. A training tower with an index above 0 and no variable scope also
/// reuses them; creating a new trainable variable then is an error at the line
/// that creates it.
///
/// Moving averages are updated by the main training tower, which is the tower
/// that created the variables, and in eager mode in each step. A predicting
/// tower adds no update operations.
class TowerContext {
public:
  TowerContext(const Program &program, std::string name,
               const TowerOptions &options,
               std::source_location where = std::source_location::current());
  ~TowerContext();
  TowerContext(const TowerContext &) = delete;
  TowerContext &operator=(const TowerContext &) = delete;

  const std::string &name() const { return called; }
  bool isTraining() const { return options.isTraining; }
  int64_t index() const { return options.index; }
  int64_t total() const { return options.total; }
  /// Returns the scope of the tower's own variables; "" for the root scope.
  const std::string &variableScope() const { return options.variableScope; }
  /// Returns true if this is the first training tower, which created the
  /// variables.
  bool isMainTrainingTower() const {
    return options.isTraining && options.index == 0 &&
           (ownVariables || owner.isEager());
  }
  /// Returns true if the tower does not share variables with another tower.
  bool hasOwnVariables() const { return ownVariables; }

  const Program &program() const { return owner; }
  /// Returns the trainable variables of the tower: those that layers created or
  /// used while it is open, or all variables if it has none of its own.
  std::vector<Variable> trainableVariables() const;

private:
  Program owner;
  std::string called;
  TowerOptions options;
  bool ownVariables = false;
  /// The state before the tower was opened: the number of variables, and the
  /// settings that the destructor restores.
  size_t variablesBefore = 0;
  std::string reuserBefore;
  bool updatesWereFrozen = false;
  std::shared_ptr<VariableScope> variables;
};

/// Returns the open tower of the current thread, or null if there is none.
const TowerContext *currentTowerContext();

/// Returns the update operations that layers added in training, such as updates
/// of moving averages.
Updates updateOperations(const Program &program);

/// Adds the function of a training step: Program::function with the update
/// operations so far in addition to options.updates, and with an output for
/// each scalar summary (Summaries.h) of the main training tower, unless
/// options.outputs has one of its name.
void trainFunction(
    Program &program, const std::string &name, FunctionOptions options,
    std::source_location where = std::source_location::current());

/// Access to the tensors and variables of a tower by short names.
class TowerHandle {
public:
  /// Returns an input by name, or a value by name with or without the scopes of
  /// the tower: "conv0/output". Throws GraphError if there is none.
  Tensor
  tensor(const std::string &name,
         std::source_location where = std::source_location::current()) const;
  /// Returns a variable by name, with or without the tower's variable scope.
  Variable
  variable(const std::string &name,
           std::source_location where = std::source_location::current()) const;

  const std::string &name() const { return called; }
  bool isTraining() const { return trains; }
  const std::vector<Tensor> &inputs() const { return given; }
  const Tensor &output() const { return result; }

private:
  friend class TowerFunction;
  std::string called, variableScope;
  bool trains = false;
  std::vector<std::string> names;
  std::vector<Tensor> given;
  Tensor result;
};

/// A function that builds towers and records them.
class TowerFunction {
public:
  using Build = std::function<Tensor(const std::vector<Tensor> &inputs)>;

  /// Constructs a tower function from the names of the inputs and the function
  /// that builds a tower.
  TowerFunction(std::vector<std::string> inputNames, Build function,
                std::source_location where = std::source_location::current());

  /// Builds a tower. Throws GraphError outside a TowerContext, and if the
  /// number of inputs differs from the number of names.
  Tensor
  operator()(const std::vector<Tensor> &inputs,
             std::source_location where = std::source_location::current());

  /// Return the towers in the order in which they were built: all of them, the
  /// training towers, and the predicting towers.
  const std::vector<TowerHandle> &towers() const { return built; }
  std::vector<TowerHandle> training() const;
  std::vector<TowerHandle> inference() const;
  /// Returns the last tower with the given name. Throws GraphError if there is
  /// none.
  const TowerHandle &
  tower(const std::string &name,
        std::source_location where = std::source_location::current()) const;

private:
  std::vector<std::string> names;
  Build build;
  std::vector<TowerHandle> built;
};

//===-- Penalties ---------------------------------------------------------===//

/// Returns the sum of function(w) over the trainable variables w of the tower
/// whose names contain a match of the regular expression (ECMAScript), as f32.
/// It is 0 if there is no match, and in a predicting tower. The caller adds it
/// to the loss. Throws GraphError outside a TowerContext.
Tensor
regularizeCost(const std::string &regex, const Regularizer &function,
               const std::string &name = "regularize_cost",
               std::source_location where = std::source_location::current());
/// Returns the same sum for all regularizers that the layers of the tower were
/// given.
Tensor regularizeCostFromCollection(
    const std::string &name = "regularize_cost",
    std::source_location where = std::source_location::current());

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_TOWER_H
