/// Lifetimes of tensors. A graph owns its tensors: c1:0 is found after its
/// handle is destroyed, and both constants are listed. In eager mode the last
/// handle frees the memory. Values in a session live as long as the session,
/// and values in a file longer.
#include "Modes.h"
using namespace tg;

/// Creates two constants and drops the handle of the first.
static void dropInGraph(double first, double second) {
  ExecutionScope scope(false);
  Program program("lifetimes");
  auto building = program.asDefault();
  Tensor c1 = constant({first}).named("c1");
  Tensor c2 = constant({second});
  c2.named("c2");
  c1 = Tensor();
  Session session;
  expect("c1:0", session.run("c1:0"), {first});
  expect("c2:0", session.run(program.tensor("c2:0")), {second});
  std::vector<OperationInfo> listed = program.operations();
  check(listed.size() == 2 && listed[0].name == "c1" && listed[1].name == "c2",
        "two nodes, c1 and c2");
  std::printf("nodes: %s %s\n", listed[0].name.c_str(), listed[1].name.c_str());
}

static void dropEagerly(double first, double second) {
  ExecutionScope scope(true);
  Program program("lifetimes");
  auto building = program.asDefault();
  size_t before = program.liveTensorCount();
  Tensor c1 = constant({first});
  Tensor c2 = constant({second});
  size_t both = program.liveTensorCount();
  c1 = Tensor();
  size_t remaining = program.liveTensorCount();
  std::printf("eager tensors: %zu, then %zu\n", both - before,
              remaining - before);
  check(both - before == 2 && remaining - before == 1,
        "one tensor to be freed");
  expectNear(c2.values<float>(), {float(second)});
}

/// Checks that a variable's value lives as long as its session, and longer in a
/// file.
static void keepInFile(double value) {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("g03-" + std::to_string(getpid()) + ".safetensors"))
                         .string();
  ExecutionScope scope(false);
  Program program("lifetimes");
  auto building = program.asDefault();
  Variable x = variable(0.0, "x");
  Saver saver(x);
  {
    Session session;
    expectError("to have a value in this session",
                [&] { saver.save(session, path); });
    session.setValue(x, value);
    saver.save(session, path);
  }
  Session other;
  expectError("to have a value in this session", [&] { other.run(x); });
  saver.restore(other, path);
  expect("x", other.run(x), {value});
  std::filesystem::remove(path);
}

int main() {
  dropInGraph(5.2, 13.14);
  dropEagerly(5.2, 13.14);
  keepInFile(5.2);
  dropInGraph(-1, 7.5);
  dropEagerly(-1, 7.5);
  keepInFile(-7.25);
}
