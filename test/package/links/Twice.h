/// Compiles a model that doubles its input.
#ifndef TWICE_H
#define TWICE_H

#include <tg/tg.h>

inline void compileTwice(const std::string &path) {
  tg::Program program("twice");
  tg::Tensor x = program.input("x", tg::f32, {tg::dim("n")});
  program.function("twice", {.inputs = {x}, .outputs = {{"y", x + x}}});
  program.compile(path);
}

#endif // TWICE_H
