/// Contexts of a model for several threads.
#ifndef TG_RUNTIME_TRAINING_STAGES_CONTEXTS_H
#define TG_RUNTIME_TRAINING_STAGES_CONTEXTS_H

#include "tg/runtime.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace tg::training {

/// A list of contexts that no thread uses. There are as many as threads that
/// ran at the same time. Thread-safe.
class Contexts {
public:
  /// Loads the variables of each context from a file, unless the path is empty.
  Contexts(Model loaded, std::string variablesPath)
      : model(std::move(loaded)), variables(std::move(variablesPath)) {}

  /// Calls a function with a context. Throws RuntimeError.
  template <typename Function> auto with(Function function) {
    Lent lent{*this, take()};
    return function(*lent.context);
  }

private:
  /// A context that returns to the list.
  struct Lent {
    Contexts &owner;
    std::unique_ptr<Context> context;

    ~Lent() {
      std::lock_guard lock(owner.mutex);
      owner.unused.push_back(std::move(context));
    }
  };

  std::unique_ptr<Context> take() {
    {
      std::lock_guard lock(mutex);
      if (!unused.empty()) {
        std::unique_ptr<Context> last = std::move(unused.back());
        unused.pop_back();
        return last;
      }
    }
    auto made = std::make_unique<Context>(model.context({.threads = 1}));
    if (!variables.empty())
      made->load(variables);
    return made;
  }

  Model model;
  std::string variables;
  std::mutex mutex;
  std::vector<std::unique_ptr<Context>> unused;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_STAGES_CONTEXTS_H
