//===- ProgramText.cpp - a module as text, line by line -------------------===//
#include "ProgramText.h"

using namespace tg::bench;

std::string tg::bench::tensor(std::initializer_list<int64_t> extents,
                              const char *type) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + type + ">";
}

void ProgramText::apply(
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

void ProgramText::unary(const std::string &result, const std::string &op,
                        const std::string &operand, const std::string &type) {
  body +=
      "    %" + result + " = tg." + op + " %" + operand + " : " + type + "\n";
}

void ProgramText::constant(const std::string &name, double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9e", value);
  body += "    %" + name + " = tg.constant dense<" + text + "> : tensor<f32>\n";
}

void ProgramText::variable(const std::string &name, const std::string &type) {
  variables += "  tg.variable @" + name + " {trainable} : " + type + "\n";
  for (const char *slot : {"_m", "_v"})
    if (row.train && !(row.workload->momentum && slot[1] == 'v'))
      variables += "  tg.variable @" + name + slot + " {slot_of = @" + name +
                   "} : " + type + "\n";
  body += "    %" + name + " = tg.read @" + name + " : " + type + "\n";
  parameters.push_back({name, type});
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Computes %rate_t, the learning rate with both bias corrections of this step.
void ProgramText::writeRate() {
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
  // PyTorch adds epsilon to the root of the corrected average. The update adds
  // it to the root of the uncorrected one, so it is scaled by the same factor.
  apply("epsilon_t", "mul", {{"epsilon", f}, {"root", f}}, f);
}

void ProgramText::beginUpdate(const std::string &gradients,
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

/// Writes the update m = 0.9 m + g; w -= 0.01 m.
void ProgramText::writeMomentum(const std::string &gradients,
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

void ProgramText::writeUpdate(const std::string &gradients,
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

std::string ProgramText::text() const {
  std::string name = row.train ? "train" : "test";
  return "module @" + row.workload->name + " {\n" + variables +
         "  func.func @" + name + "(" + arguments + ") -> (" + results +
         " {tg.name = \"y\"}) attributes {tg.role = \"" + name + "\"} {\n" +
         body + "    return %" + returned + " : " + results + "\n  }\n}\n";
}
