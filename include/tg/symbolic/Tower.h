/// Towers: the same layers built once to train and again to predict.
#ifndef TG_SYMBOLIC_TOWER_H
#define TG_SYMBOLIC_TOWER_H

#include "../graph/variable_scope.h"

#include <functional>

namespace tg::symbolic {

struct TowerOptions {
  /// Normalization by the batch, dropout, penalties; else predictions.
  bool isTraining = false;
  /// Which of how many towers that train this is.
  int64_t index = 0, total = 1;
  /// The scope of its variables, where the tower has its own; "" for those of
  /// the root.
  std::string variableScope = {};
};

/// The tower that layers are built in: BatchNorm, Dropout and regularizeCost
/// need one. While it lives, names of values begin with name/. A training tower
/// is opened at the root of the variable scopes. Towers reuse existing
/// variables within a VariableScope with Reuse::yes, in training and in
/// prediction, so that a network can be built again, to train on other inputs
/// as well. A training tower with an index above 0 and no variable scope reuses
/// them, too; a new trainable variable is then an error at the line that makes
/// it. Moving averages are updated by the main training tower, which is the one
/// that made the variables, and in eager mode in each step. A predicting tower
/// adds no update operations. One at a time per thread.
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
  /// The scope of its own variables; "" for the root.
  const std::string &variableScope() const { return options.variableScope; }
  /// It trains, and it is the first that does: it made the variables.
  bool isMainTrainingTower() const {
    return options.isTraining && options.index == 0 &&
           (ownVariables || owner.isEager());
  }
  /// Its variables are not those of another tower.
  bool hasOwnVariables() const { return ownVariables; }

  const Program &program() const { return owner; }
  /// The trainable variables of the tower: its own, which layers made or used
  /// while it is open, else all.
  std::vector<Variable> trainableVariables() const;

private:
  Program owner;
  std::string called;
  TowerOptions options;
  bool ownVariables = false;
  /// The number of variables before the tower, and the rules before it.
  size_t variablesBefore = 0;
  std::string reuserBefore;
  bool updatesWereFrozen = false;
  std::shared_ptr<VariableScope> variables;
};

/// The tower that is open in this thread; null outside of any.
const TowerContext *currentTowerContext();

/// The update operations that layers added while training: moving averages.
Updates updateOperations(const Program &program);

/// Adds the function of a training step: Program::function with the update
/// operations so far beside options.updates.
void trainFunction(
    Program &program, const std::string &name, FunctionOptions options,
    std::source_location where = std::source_location::current());

/// The parts of a tower, by short names.
class TowerHandle {
public:
  /// An input by its name, or a value by its name with or without that of the
  /// tower: "conv0/output". Throws GraphError where there is none.
  Tensor
  tensor(const std::string &name,
         std::source_location where = std::source_location::current()) const;
  /// A variable by its name with or without the tower's variable scope.
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

/// A function that builds towers, which remembers them.
class TowerFunction {
public:
  using Build = std::function<Tensor(const std::vector<Tensor> &inputs)>;

  /// With the names of its inputs.
  TowerFunction(std::vector<std::string> inputNames, Build function,
                std::source_location where = std::source_location::current());

  /// Builds a tower. Throws GraphError outside of a TowerContext, and for
  /// another number of inputs.
  Tensor
  operator()(const std::vector<Tensor> &inputs,
             std::source_location where = std::source_location::current());

  /// In the order in which they were built; all, those that train, those that
  /// predict.
  const std::vector<TowerHandle> &towers() const { return built; }
  std::vector<TowerHandle> training() const;
  std::vector<TowerHandle> inference() const;
  /// The last one of a name. Throws GraphError where there is none.
  const TowerHandle &
  tower(const std::string &name,
        std::source_location where = std::source_location::current()) const;

private:
  std::vector<std::string> names;
  Build build;
  std::vector<TowerHandle> built;
};

//===-- Penalties ---------------------------------------------------------===//

/// The sum of function(w) over the trainable variables of the tower in whose
/// names the regular expression (ECMAScript) is found, f32; 0 where none is, or
/// in a tower that predicts. Nothing adds it to a loss by itself. Throws
/// GraphError outside of a TowerContext.
Tensor
regularizeCost(const std::string &regex, const Regularizer &function,
               const std::string &name = "regularize_cost",
               std::source_location where = std::source_location::current());
/// The same of all regularizers that the layers of the tower were given.
Tensor regularizeCostFromCollection(
    const std::string &name = "regularize_cost",
    std::source_location where = std::source_location::current());

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_TOWER_H
