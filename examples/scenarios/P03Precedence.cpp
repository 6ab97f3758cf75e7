/// The precedence of a layer's arguments: an argument of the call, by position
/// or by keyword, overrides the inner argscope, which overrides the outer one.
/// Passing an argument in both ways is an error.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

int main() {
  Program program("precedence");
  Tensor x = program.input("x", f32, {4, 6});
  int64_t outer = 10, inner = 20, keyword = 30, positional = 40;
  auto expectUnits = [](const char *what, const Tensor &y, int64_t units) {
    std::printf("%-10s %ld units\n", what, long(y.dim(-1)));
    check(y.dim(-1) == units, std::to_string(units) + " units");
  };
  sym::ArgScope outerScope(sym::FullyConnected,
                           {.units = outer, .useBias = false});
  expectUnits("outer", sym::FullyConnected("a", x), outer);
  sym::ArgScope innerScope(sym::FullyConnected, {.units = inner});
  sym::LayerOutput y = sym::FullyConnected("b", x);
  expectUnits("inner", y, inner);
  check(!y.variables.b.isDefined(), "no bias, as the outer scope says");
  expectUnits("keyword", sym::FullyConnected("c", x, {.units = keyword}),
              keyword);
  expectUnits("positional", sym::FullyConnected("d", x, positional),
              positional);
  // Tensorpack's names, including old ones, give the same results.
  sym::NamedLayer byName = sym::layer("FullyConnected");
  expectUnits("by name", byName("e", x, {.positional = {positional}}),
              positional);
  expectUnits("old name", byName("f", x, {.keyword = {{"out_dim", keyword}}}),
              keyword);
  try {
    sym::FullyConnected("g", x, positional, {.units = keyword});
    check(false, "an error");
  } catch (const GraphError &error) {
    std::printf("%s\n", error.message.c_str());
  }
}
