/// Uses a session; links the compiler's target only.
#include <tg/tg.h>

int main() {
  tg::Tensor x = tg::placeholder(tg::f32, {tg::dim()}, "x");
  tg::Session session({.threads = 2, .kernelCache = ""});
  return session.run(tg::reduceSum(x), {{x, {1, 2, 3}}}).scalar() == 6 ? 0 : 1;
}
