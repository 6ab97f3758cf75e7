/// The product and the sum of the list 5, 3, and both added: 15, 8, 23. The
/// drawing of the graph has the names of all four.
#include "Scenario.h"

#include <fstream>
#include <sstream>

using namespace tg;

/// What Graphviz would draw of a program.
static std::string drawing(const Program &program) {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("scenario-" + std::to_string(getpid()) + ".dot");
  program.write(path.string());
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

int main() {
  Program program("reductions");
  Tensor a = program.constant({5, 3}, f32, {2});
  Tensor b = reduceProd(a), c = reduceSum(a);
  program.function("run",
                   {.outputs = {{"a", a}, {"b", b}, {"c", c}, {"d", b + c}}});

  Context context = load(program).context();
  const Outputs &outputs = context.run("run", {});
  expect(outputs, "a", {5, 3});
  expect(outputs, "b", {15});
  expect(outputs, "c", {8});
  expect(outputs, "d", {23});
  for (const char *name : {"a", "b", "c", "d"})
    check(drawing(program).find("label=\"" + std::string(name) + "\\n") !=
              std::string::npos,
          "a node '" + std::string(name) + "'");
}
