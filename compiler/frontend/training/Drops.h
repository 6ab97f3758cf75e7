//===- Drops.h - dropout in functions that do not train -------------------===//
#ifndef TG_COMPILER_FRONTEND_TRAINING_DROPS_H
#define TG_COMPILER_FRONTEND_TRAINING_DROPS_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// The values of a program that dropout layers made in training, and the
/// gradients. A function without updates should contain none of the values,
/// unless its user chose the training mode of the layers or it gives gradients
/// to its caller.
class Drops {
public:
  static Drops &of(const BodyPtr &body);

  /// Adds the result of a dropout layer. `layer` is its path.
  void add(Id value, std::string layer) {
    calls.push_back({value, std::move(layer)});
  }
  void addGradients(const std::vector<Id> &values) {
    gradients.insert(gradients.end(), values.begin(), values.end());
  }
  size_t count() const { return calls.size(); }
  /// Marks the results from number `first` on as made in a call of a layer for
  /// which no mode was chosen.
  void markUnchosen(size_t first);
  /// Forgets all values, when ops are erased.
  void clear() { *this = Drops(); }

  /// Warns of a function without updates that contains a marked result.
  void check(Body &body, const FunctionSpec &spec, Place where) const;

private:
  struct Call {
    Id value;
    std::string layer;
    bool isChosen = true;
  };
  std::vector<Call> calls;
  std::vector<Id> gradients;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_TRAINING_DROPS_H
