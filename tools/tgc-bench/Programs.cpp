//===- Programs.cpp - workloads as text of the tg dialect -----------------===//
#include "ProgramText.h"
#include "networks/NetworkProgram.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tg::bench;

namespace {

/// The program of one row.
class Program : ProgramText {
public:
  using ProgramText::ProgramText;
  std::string write();

private:
  void writeLayers();
  void writeLoss();
  void writeProducts();
  void writeGelu();
  void writeLayerNorm();
  void writeColumnSums();
  void writeAdam();
  void writeEmbedding();
  void writeBody();
};

} // namespace

//===----------------------------------------------------------------------===//
// Linear layers and their loss
//===----------------------------------------------------------------------===//

void Program::writeLayers() {
  const std::vector<int64_t> &widths = row.workload->sizes;
  std::string value = "x";
  std::string type = tensor({rows, widths[0]});
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
  std::string labels = tensor({rows}, "i32");
  std::string losses = tensor({rows});
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
  std::string full = tensor({rows, n});
  std::string vector = tensor({n});
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
  std::string full = tensor({rows, n});
  std::string vector = tensor({n});
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
  std::string type = tensor({row.workload->sizes[0]});
  std::string part = tensor({1000});
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
  std::string index = tensor({rows}, "i32");
  std::string found = tensor({rows, sizes[1]});
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
  return text();
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
