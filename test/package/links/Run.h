/// Runs the model that Twice.h compiles.
#ifndef RUN_H
#define RUN_H

#include <tg/runtime.hpp>

/// Returns 0 if the model doubles numbers.
inline int runTwice(const char *path) {
  tg::Context context = tg::Model::load(path).context({.threads = 2});
  std::vector<float> x = {1, 2, 3};
  auto y = context.run("twice", {{"x", x}}).values<float>("y");
  return y.size() == 3 && y[2] == 6 ? 0 : 1;
}

#endif // RUN_H
