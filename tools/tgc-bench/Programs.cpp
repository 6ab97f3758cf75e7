//===- Programs.cpp - workloads as text of the tg dialect -----------------===//
#include "Workloads.h"
#include "networks/NetworkProgram.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tg::bench;

namespace {

/// Returns a type: tensor<AxBxf32>
std::string tensor(std::initializer_list<int64_t> extents,
                   const char *type = "f32") {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + type + ">";
}

/// Writes one module.
class Program {
public:
  Program(const Row &row, int64_t rows) : row(row), rows(rows) {}
  std::string write();

private:
  /// Appends a line to the function: `%name = tg.<op> operands : (types) ->
  /// result`.
  void
  apply(const std::string &result, const std::string &op,
        std::initializer_list<std::pair<std::string, std::string>> operands,
        const std::string &type, const std::string &attributes = "");
  void unary(const std::string &result, const std::string &op,
             const std::string &operand, const std::string &type);
  void constant(const std::string &name, double value);
  void variable(const std::string &name, const std::string &type);
  void writeLayers();
  void writeLoss();
  void writeUpdate(const std::string &gradients, const std::string &types);
  void beginUpdate(const std::string &gradients, const std::string &types,
                   std::initializer_list<const char *> slots);
  void writeMomentum(const std::string &gradients, const std::string &types);
  void writeRate();
  void writeProducts();
  void writeGelu();
  void writeLayerNorm();
  void writeColumnSums();
  void writeAdam();
  void writeEmbedding();
  void writeBody();

  const Row &row;
  int64_t rows;
  std::string variables, body, arguments, results, returned;
  /// The names and types of the variables that are trained.
  std::vector<std::pair<std::string, std::string>> parameters;
};

} // namespace

void Program::apply(
    const std::string &result, const std::string &op,
    std::initializer_list<std::pair<std::string, std::string>> operands,
    const std::string &type, const std::string &attributes) {
  std::string names, types;
  for (const auto &[name, operandType] : operands) {
    names += (names.empty() ? "%" : ", %") + name;
    types += (types.empty() ? "" : ", ") + operandType;
  }
  body += "    %" + result + " = tg." + op + " " + names + attributes + " : (" +
          types + ") -> " + type + "\n";
}

void Program::unary(const std::string &result, const std::string &op,
                    const std::string &operand, const std::string &type) {
  body +=
      "    %" + result + " = tg." + op + " %" + operand + " : " + type + "\n";
}

void Program::constant(const std::string &name, double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9e", value);
  body += "    %" + name + " = tg.constant dense<" + text + "> : tensor<f32>\n";
}

/// Adds and reads a variable of this name, with its optimizer slots if it is
/// trained.
void Program::variable(const std::string &name, const std::string &type) {
  variables += "  tg.variable @" + name + " {trainable} : " + type + "\n";
  for (const char *slot : {"_m", "_v"})
    if (row.train && !(row.workload->momentum && slot[1] == 'v'))
      variables += "  tg.variable @" + name + slot + " {slot_of = @" + name +
                   "} : " + type + "\n";
  body += "    %" + name + " = tg.read @" + name + " : " + type + "\n";
  parameters.push_back({name, type});
}

//===----------------------------------------------------------------------===//
// Linear layers, their loss and Adam
//===----------------------------------------------------------------------===//

void Program::writeLayers() {
  const std::vector<int64_t> &widths = row.workload->sizes;
  std::string value = "x", type = tensor({rows, widths[0]});
  arguments = "%x: " + type + " {tg.name = \"x\"}";
  for (size_t layer = 0; layer + 1 < widths.size(); ++layer) {
    std::string n = std::to_string(layer);
    std::string weights = tensor({widths[layer], widths[layer + 1]});
    std::string bias = tensor({widths[layer + 1]});
    variable("w" + n, weights);
    variable("b" + n, bias);
    std::string next = tensor({rows, widths[layer + 1]});
    apply("p" + n, "matmul", {{value, type}, {"w" + n, weights}}, next);
    apply("s" + n, "add", {{"p" + n, next}, {"b" + n, bias}}, next);
    value = "s" + n;
    type = next;
    if (layer + 2 == widths.size() && !row.workload->lastRelu)
      break;
    unary("h" + n, "relu", value, type);
    value = "h" + n;
  }
  returned = value;
  results = type;
}

void Program::writeLoss() {
  std::string labels = tensor({rows}, "i32"), losses = tensor({rows});
  arguments += ", %label: " + labels + " {tg.name = \"label\"}";
  apply("losses", "softmax_cross_entropy",
        {{returned, results}, {"label", labels}}, losses);
  apply("total", "reduce_sum", {{"losses", losses}}, "tensor<f32>");
  constant("count", rows);
  apply("loss", "div", {{"total", "tensor<f32>"}, {"count", "tensor<f32>"}},
        "tensor<f32>");
  std::string names, types;
  for (const auto &[name, type] : parameters) {
    names += (names.empty() ? "@" : ", @") + name;
    types += (types.empty() ? "" : ", ") + type;
  }
  std::string count = std::to_string(parameters.size());
  body += "    %g:" + count + " = tg.gradient %loss variables [" + names +
          "] : (tensor<f32>) -> (" + types + ")\n";
  std::string gradients;
  for (size_t i = 0; i < parameters.size(); ++i)
    gradients += (i ? ", %g#" : "%g#") + std::to_string(i);
  writeUpdate(gradients, types);
  returned = "loss";
  results = "tensor<f32>";
}

/// Computes %rate_t, the learning rate with both bias corrections of this step.
void Program::writeRate() {
  variables += "  tg.variable @step : tensor<i64>\n";
  const std::string f = "tensor<f32>";
  constant("beta1", 0.9);
  constant("beta1_rest", 0.1);
  constant("beta2", 0.999);
  constant("beta2_rest", 0.001);
  constant("epsilon", 1e-8);
  constant("one_f", 1);
  constant("rate", 1e-3);
  body += "    %one_i = tg.constant dense<1> : tensor<i64>\n"
          "    %step = tg.read @step : tensor<i64>\n"
          "    %step1 = tg.add %step, %one_i : (tensor<i64>, tensor<i64>) -> "
          "tensor<i64>\n"
          "    tg.assign @step, %step1 : tensor<i64>\n"
          "    %t = tg.cast %step1 {element_type = f32} : (tensor<i64>) -> "
          "tensor<f32>\n";
  for (const char *n : {"1", "2"}) {
    apply("power" + std::string(n), "pow",
          {{"beta" + std::string(n), f}, {"t", f}}, f);
    apply("rest" + std::string(n), "sub",
          {{"one_f", f}, {"power" + std::string(n), f}}, f);
  }
  unary("root", "sqrt", "rest2", f);
  apply("rate_up", "mul", {{"rate", f}, {"root", f}}, f);
  apply("rate_t", "div", {{"rate_up", f}, {"rest1", f}}, f);
  // torch adds epsilon to the root of the corrected average.
  apply("epsilon_t", "mul", {{"epsilon", f}, {"root", f}}, f);
}

/// Writes the update op up to its region; each parameter has slots `slots`.
void Program::beginUpdate(const std::string &gradients,
                          const std::string &types,
                          std::initializer_list<const char *> slots) {
  std::string groups;
  for (const auto &[name, type] : parameters) {
    groups += (groups.empty() ? "[@" : ", [@") + name;
    for (const char *slot : slots)
      groups += ", @" + name + slot;
    groups += "]";
  }
  body += "    tg.update [" + groups + "] inputs(" + gradients + ") : (" +
          types + ") -> () {\n    ^bb0(%weight: tensor<f32>, ";
  for (const char *slot : slots)
    body += "%" + std::string(slot + 1) + "0: tensor<f32>, ";
  body += "%grad: tensor<f32>):\n";
}

/// Writes the update m = 0.9 m + g; w -= 0.01 m
void Program::writeMomentum(const std::string &gradients,
                            const std::string &types) {
  constant("decay", 0.9);
  constant("rate", 0.01);
  beginUpdate(gradients, types, {"_m"});
  const std::string f = "tensor<f32>";
  apply("m1", "mul", {{"m0", f}, {"decay", f}}, f);
  apply("m2", "add", {{"m1", f}, {"grad", f}}, f);
  apply("d0", "mul", {{"m2", f}, {"rate", f}}, f);
  apply("new", "sub", {{"weight", f}, {"d0", f}}, f);
  body += "      tg.yield %new, %m2 : tensor<f32>, tensor<f32>\n    }\n";
}

void Program::writeUpdate(const std::string &gradients,
                          const std::string &types) {
  if (row.workload->momentum)
    return writeMomentum(gradients, types);
  writeRate();
  beginUpdate(gradients, types, {"_m", "_v"});
  const std::string f = "tensor<f32>";
  apply("m1", "mul", {{"m0", f}, {"beta1", f}}, f);
  apply("m2", "mul", {{"grad", f}, {"beta1_rest", f}}, f);
  apply("m3", "add", {{"m1", f}, {"m2", f}}, f);
  apply("v1", "mul", {{"v0", f}, {"beta2", f}}, f);
  apply("v2", "mul", {{"grad", f}, {"grad", f}}, f);
  apply("v3", "mul", {{"v2", f}, {"beta2_rest", f}}, f);
  apply("v4", "add", {{"v1", f}, {"v3", f}}, f);
  unary("d0", "sqrt", "v4", f);
  apply("d1", "add", {{"d0", f}, {"epsilon_t", f}}, f);
  apply("d2", "div", {{"m3", f}, {"d1", f}}, f);
  apply("d3", "mul", {{"d2", f}, {"rate_t", f}}, f);
  apply("new", "sub", {{"weight", f}, {"d3", f}}, f);
  body += "      tg.yield %new, %m3, %v4 : tensor<f32>, tensor<f32>, "
          "tensor<f32>\n    }\n";
}

//===----------------------------------------------------------------------===//
// Micro workloads
//===----------------------------------------------------------------------===//

/// Writes x w, a product for each of the rows
void Program::writeProducts() {
  const std::vector<int64_t> &sizes = row.workload->sizes;
  std::string x = tensor({rows, sizes[1], sizes[3]});
  std::string w = tensor({rows, sizes[3], sizes[2]});
  arguments =
      "%x: " + x + " {tg.name = \"x\"}, %w: " + w + " {tg.name = \"w\"}";
  returned = "z";
  results = tensor({rows, sizes[1], sizes[2]});
  apply("z", "matmul", {{"x", x}, {"w", w}}, results);
}

/// Writes gelu(x * a + b) * c + r
void Program::writeGelu() {
  int64_t n = row.workload->sizes[1];
  std::string full = tensor({rows, n}), vector = tensor({n});
  const std::string f = "tensor<f32>";
  arguments =
      "%x: " + full + " {tg.name = \"x\"}, %r: " + full + " {tg.name = \"r\"}";
  for (const char *name : {"a", "b", "c"})
    variable(name, vector);
  apply("y0", "mul", {{"x", full}, {"a", vector}}, full);
  apply("y1", "add", {{"y0", full}, {"b", vector}}, full);
  constant("scale", 0.70710678118654752);
  constant("half", 0.5);
  constant("one", 1);
  apply("y2", "mul", {{"y1", full}, {"scale", f}}, full);
  unary("y3", "erf", "y2", full);
  apply("y4", "add", {{"y3", full}, {"one", f}}, full);
  apply("y5", "mul", {{"y1", full}, {"half", f}}, full);
  apply("y6", "mul", {{"y5", full}, {"y4", full}}, full);
  apply("y7", "mul", {{"y6", full}, {"c", vector}}, full);
  apply("y8", "add", {{"y7", full}, {"r", full}}, full);
  returned = "y8";
  results = full;
}

void Program::writeLayerNorm() {
  int64_t n = row.workload->sizes[1];
  std::string full = tensor({rows, n}), vector = tensor({n});
  std::string column = tensor({rows, 1});
  const std::string f = "tensor<f32>";
  arguments = "%x: " + full + " {tg.name = \"x\"}";
  for (const char *name : {"scale", "offset"})
    variable(name, vector);
  body += "    %mean, %variance = tg.moments %x {axes = [1], keep_dims} : (" +
          full + ") -> (" + column + ", " + column + ")\n";
  constant("epsilon", 1e-5);
  apply("v0", "add", {{"variance", column}, {"epsilon", f}}, column);
  unary("deviation", "sqrt", "v0", column);
  apply("y0", "sub", {{"x", full}, {"mean", column}}, full);
  apply("y1", "div", {{"y0", full}, {"deviation", column}}, full);
  apply("y2", "mul", {{"y1", full}, {"scale", vector}}, full);
  apply("y3", "add", {{"y2", full}, {"offset", vector}}, full);
  returned = "y3";
  results = full;
}

/// Writes the gradient of a bias.
void Program::writeColumnSums() {
  std::string full = tensor({rows, row.workload->sizes[1]});
  arguments = "%x: " + full + " {tg.name = \"x\"}";
  returned = "y";
  results = tensor({row.workload->sizes[1]});
  apply("y", "reduce_sum", {{"x", full}}, results, " {axes = [0]}");
}

/// Writes only the update; the "loss" is the mean magnitude of 1000 parameters.
void Program::writeAdam() {
  std::string type = tensor({row.workload->sizes[0]}), part = tensor({1000});
  const std::string f = "tensor<f32>";
  arguments = "%x: " + type + " {tg.name = \"x\"}";
  variable("p", type);
  writeUpdate("%x", type);
  body += "    %after = tg.read @p : " + type + "\n";
  apply("first", "slice", {{"after", type}}, part,
        " {sizes = [1000], starts = [0]}");
  unary("size", "abs", "first", part);
  apply("sum", "reduce_sum", {{"size", part}}, f);
  constant("thousandth", 1e-3);
  apply("loss", "mul", {{"sum", f}, {"thousandth", f}}, f);
  returned = "loss";
  results = f;
}

/// Writes w -= 0.01 g for the sum of squares of some rows
void Program::writeEmbedding() {
  const std::vector<int64_t> &sizes = row.workload->sizes;
  std::string table = tensor({sizes[0], sizes[1]});
  std::string index = tensor({rows}, "i32"), found = tensor({rows, sizes[1]});
  const std::string f = "tensor<f32>";
  arguments = "%x: " + index + " {tg.name = \"x\"}";
  variables += "  tg.variable @table {trainable} : " + table + "\n";
  body += "    %table = tg.read @table : " + table + "\n";
  parameters = {{"table", table}};
  apply("rows", "gather", {{"table", table}, {"x", index}}, found);
  apply("squares", "mul", {{"rows", found}, {"rows", found}}, found);
  apply("sum", "reduce_sum", {{"squares", found}}, f);
  constant("rate", 0.01);
  body += "    %g = tg.gradient %sum wrt(%table) : (" + f + ", " + table +
          ") -> " + table + "\n";
  beginUpdate("%g", table, {});
  apply("d0", "mul", {{"grad", f}, {"rate", f}}, f);
  apply("new", "sub", {{"weight", f}, {"d0", f}}, f);
  body += "      tg.yield %new : tensor<f32>\n    }\n";
  returned = "sum";
  results = f;
}

void Program::writeBody() {
  int64_t columns = row.workload->sizes.back();
  switch (row.workload->kind) {
  case Kind::layers:
    writeLayers();
    if (row.train)
      writeLoss();
    return;
  case Kind::products:
    return writeProducts();
  case Kind::gelu:
    return writeGelu();
  case Kind::layerNorm:
    return writeLayerNorm();
  case Kind::adam:
    return writeAdam();
  case Kind::embedding:
    return writeEmbedding();
  case Kind::columnSums:
    return writeColumnSums();
  case Kind::softmax:
    results = tensor({rows, columns});
    arguments = "%x: " + results + " {tg.name = \"x\"}";
    body = "    %y = tg.softmax %x {axis = 1} : " + results + "\n";
    returned = "y";
    return;
  default:
    llvm_unreachable("these write their text elsewhere");
  }
}

std::string Program::write() {
  writeBody();
  std::string name = row.train ? "train" : "test";
  return "module @" + row.workload->name + " {\n" + variables +
         "  func.func @" + name + "(" + arguments + ") -> (" + results +
         " {tg.name = \"y\"}) attributes {tg.role = \"" + name + "\"} {\n" +
         body + "    return %" + returned + " : " + results + "\n  }\n}\n";
}

std::string tg::bench::programOf(const Row &row, int64_t rows) {
  const Workload &workload = *row.workload;
  if (workload.kind == Kind::network)
    return networkText(
        {workload.name, workload.sizes, rows, row.train, workload.momentum});
  if (workload.kind == Kind::inputGradient ||
      workload.kind == Kind::filterGradient)
    return windowProgramOf(row, rows);
  if (std::string text = movementProgramOf(row, rows); !text.empty())
    return text;
  return Program(row, rows).write();
}
