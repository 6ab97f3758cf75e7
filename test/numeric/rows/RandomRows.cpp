//===- RandomRows.cpp - programs of many integer ops ----------------------===//
//
// Chains ops of all integer types. Unlike single rows, these programs test how
// narrow and wide types share a kernel.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/OpRows.h"

using namespace tg;
using namespace tg::test;

namespace {

constexpr unsigned kPrograms = 24, kOps = 24;

/// Generates one program. All values are matrices of one shape.
class Program {
public:
  explicit Program(unsigned number)
      : state(number + 1), types(integerTypes()),
        columns(std::vector<std::string>{"9", "33", "70"}[number % 3]) {
    types.insert(types.end(), {"i1", "FLOAT"});
  }

  OpRow make(const std::string &name);

private:
  struct Typed {
    std::string name, type;
  };

  unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  }
  template <typename List> auto &pick(List &list) {
    return list[draw(list.size())];
  }
  Typed value() { return pick(values); }
  /// Returns a value of the given type, cast if necessary.
  Typed valueOf(const std::string &type) { return cast(value(), type); }
  std::string integer() { return types[draw(types.size() - 2)]; }

  std::string matrix(const std::string &type) const {
    return "tensor<?x" + columns + "x" + type + ">";
  }
  Typed emit(const std::string &type, const std::string &text);
  Typed cast(Typed from, const std::string &type);
  /// Emits %y = tg.op operands : (types) -> matrix.
  Typed call(const std::string &op, const std::vector<Typed> &operands,
             const std::string &type, const std::string &attributes = "");
  Typed constant(const std::string &type, int number);
  void add();
  void addReduction();
  void addMovement();
  void addArithmetic();

  uint64_t state;
  std::vector<std::string> types;
  std::string columns, body;
  std::vector<Typed> values;
  unsigned count = 0;
};

} // namespace

Program::Typed Program::emit(const std::string &type, const std::string &text) {
  std::string name = "%v" + std::to_string(count++);
  body += name + " = tg." + text + "\n";
  return {name, type};
}

Program::Typed Program::cast(Typed from, const std::string &type) {
  if (from.type == type)
    return from;
  return emit(type, "cast " + from.name + " {element_type = " + type + "} : (" +
                        matrix(from.type) + ") -> " + matrix(type));
}

Program::Typed Program::call(const std::string &op,
                             const std::vector<Typed> &operands,
                             const std::string &type,
                             const std::string &attributes) {
  std::string names, list;
  for (const Typed &operand : operands) {
    names += (names.empty() ? "" : ", ") + operand.name;
    list += (list.empty() ? "" : ", ") + matrix(operand.type);
  }
  return emit(type, op + " " + names + attributes + " : (" + list + ") -> " +
                        matrix(type));
}

Program::Typed Program::constant(const std::string &type, int number) {
  return emit(type, "constant dense<" + std::to_string(number) + "> : tensor<" +
                        type + ">");
}

void Program::addReduction() {
  std::string type = integer();
  Typed x = valueOf(type);
  static const std::vector<std::string> ops = {"reduce_sum", "reduce_prod",
                                               "reduce_max", "reduce_min"};
  bool rows = draw(2);
  std::string from = matrix(type);
  std::string to = rows ? "tensor<?x1x" + type + ">"
                        : "tensor<1x" + columns + "x" + type + ">";
  Typed reduced =
      emit(type, pick(ops) + " " + x.name + " {axes = [" + (rows ? "1" : "0") +
                     "], keep_dims} : (" + from + ") -> " + to);
  Typed y = valueOf(type);
  values.push_back(emit(type, "add " + y.name + ", " + reduced.name + " : (" +
                                  from + ", " + to + ") -> " + from));
}

void Program::addMovement() {
  std::string type = pick(types);
  Typed x = valueOf(type);
  std::string from = matrix(type);
  if (draw(2)) {
    values.push_back(emit(type, "reverse " + x.name + " {axes = [" +
                                    std::to_string(draw(2)) + "]} : " + from));
    return;
  }
  // Move the first column after the others.
  std::string rest = std::to_string(std::stoi(columns) - 1);
  std::string restType = "tensor<?x" + rest + "x" + type + ">";
  std::string firstType = "tensor<?x1x" + type + ">";
  Typed last =
      emit(type, "slice " + x.name + " {sizes = [-1, " + rest +
                     "], starts = [0, 1]} : (" + from + ") -> " + restType);
  Typed first =
      emit(type, "slice " + x.name + " {sizes = [-1, 1], starts = [0, 0]} : (" +
                     from + ") -> " + firstType);
  values.push_back(emit(type, "concat " + last.name + ", " + first.name +
                                  " {axis = 1} : (" + restType + ", " +
                                  firstType + ") -> " + from));
}

void Program::addArithmetic() {
  static const std::vector<std::string> ops = {
      "add", "sub", "mul", "maximum",   "minimum", "and",
      "or",  "xor", "div", "remainder", "compare"};
  static const std::vector<std::string> unary = {"abs", "neg", "sign", "relu",
                                                 "not"};
  std::string type = integer();
  std::string op = pick(ops);
  if (draw(4) == 0) {
    Typed x = valueOf(type);
    values.push_back(
        emit(type, pick(unary) + " " + x.name + " : " + matrix(type)));
    return;
  }
  Typed a = valueOf(type);
  Typed b = valueOf(type);
  if (op == "compare") {
    Typed less = call("compare lt,", {a, b}, "i1");
    values.push_back(less);
    values.push_back(call("select", {less, a, b}, type));
    return;
  }
  if (op == "div" || op == "remainder") {
    // Set the lowest bit of the divisor, so that it is not 0.
    Typed one = constant(type, 1);
    b = emit(type, "or " + b.name + ", " + one.name + " : (" + matrix(type) +
                       ", tensor<" + type + ">) -> " + matrix(type));
  }
  values.push_back(call(op, {a, b}, type));
}

void Program::add() {
  switch (draw(6)) {
  case 0:
    return addReduction();
  case 1:
    return addMovement();
  case 2:
    values.push_back(cast(value(), pick(types)));
    return;
  default:
    return addArithmetic();
  }
}

OpRow Program::make(const std::string &name) {
  OpRow row{name, {}, "", {}};
  for (const std::string &type : types) {
    bool isFloat = type == "FLOAT";
    std::string input = isFloat ? "real" : "x" + type;
    std::vector<double> edges;
    if (!isFloat)
      edges = edgesOf(type);
    row.inputs.push_back(
        {input, "5?x" + columns + "x" + type, -300, 300, edges});
    values.push_back({"%" + input, type});
  }
  for (unsigned op = 0; op < kOps; ++op)
    add();
  for (unsigned last = 0; last < 4; ++last) {
    Typed value = values[values.size() - 1 - last];
    // An output is named for a value. One of the last values may be an input,
    // so a select makes a new value.
    Typed output = call("select", {valueOf("i1"), value, value}, value.type);
    row.outputs.push_back(
        {output.name.substr(1), "5?x" + columns + "x" + output.type});
  }
  row.body = body;
  row.gradient = false;
  // 64-bit integers that were cast to a float were rounded to it.
  return row;
}

void tg::test::addRandomRows(std::vector<OpRow> &rows) {
  for (unsigned number = 0; number < kPrograms; ++number)
    rows.push_back(Program(number).make("integers_" + std::to_string(number)));
}
