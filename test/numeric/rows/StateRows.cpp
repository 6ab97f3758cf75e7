//===- StateRows.cpp - rows of variables and gradient requests ------------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

std::string tg::test::rowVariables() {
  return "tg.variable @w : tensor<4xFLOAT>\n"
         "tg.variable @v : tensor<4xFLOAT>\n"
         "tg.variable @table {trainable} : tensor<11x5xFLOAT>\n"
         "tg.variable @slot {slot_of = @table} : tensor<11x5xFLOAT>\n"
         "tg.variable @n : tensor<5xi8>\n"
         "tg.variable @m : tensor<5xi16>\n"
         "func.func @init() attributes {tg.role = \"init\"} {\n"
         "  %c = tg.constant dense<0.0> : tensor<4xFLOAT>\n"
         "  tg.assign @w, %c : tensor<4xFLOAT>\n"
         "  tg.assign @v, %c : tensor<4xFLOAT>\n"
         "  %t = tg.constant dense<0.5> : tensor<11x5xFLOAT>\n"
         "  tg.assign @table, %t : tensor<11x5xFLOAT>\n"
         "  tg.assign @slot, %t : tensor<11x5xFLOAT>\n"
         "  %n = tg.constant dense<-1> : tensor<5xi8>\n"
         "  tg.assign @n, %n : tensor<5xi8>\n"
         "  %m = tg.constant dense<300> : tensor<5xi16>\n"
         "  tg.assign @m, %m : tensor<5xi16>\n"
         "  return\n"
         "}\n";
}

void tg::test::addStateRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "4xFLOAT"}, y{"y", "4xFLOAT"};
  std::string variables = rowVariables();
  // A read returns the assigned value and propagates its gradient.
  rows.push_back({"read_assigned",
                  {x},
                  "%t = tg.tanh %x : tensor<4xFLOAT>\n"
                  "tg.assign @w, %t : tensor<4xFLOAT>\n"
                  "%a = tg.read @w : tensor<4xFLOAT>\n"
                  "%b = tg.read @w : tensor<4xFLOAT>\n"
                  "%y = tg.mul %a, %b : (tensor<4xFLOAT>, tensor<4xFLOAT>) -> "
                  "tensor<4xFLOAT>",
                  {y},
                  variables});
  // Later assigns do not change a value already read.
  rows.push_back({"assign_after_read",
                  {x},
                  "tg.assign @w, %x : tensor<4xFLOAT>\n"
                  "%y = tg.read @w : tensor<4xFLOAT>\n"
                  "%n = tg.neg %y : tensor<4xFLOAT>\n"
                  "tg.assign @w, %n : tensor<4xFLOAT>",
                  {y},
                  variables});
  rows.push_back({"update_groups",
                  {x, {"rate", "FLOAT"}},
                  "tg.assign @w, %x : tensor<4xFLOAT>\n"
                  "%n = tg.neg %x : tensor<4xFLOAT>\n"
                  "tg.assign @v, %n : tensor<4xFLOAT>\n"
                  "tg.update [[@w], [@v]] inputs(%x, %n) : (tensor<4xFLOAT>, "
                  "tensor<4xFLOAT>) -> () {\n"
                  "^bb0(%weight: tensor<FLOAT>, %grad: tensor<FLOAT>):\n"
                  "  %d = tg.mul %grad, %rate : (tensor<FLOAT>, tensor<FLOAT>) "
                  "-> tensor<FLOAT>\n"
                  "  %new = tg.sub %weight, %d : (tensor<FLOAT>, "
                  "tensor<FLOAT>) -> tensor<FLOAT>\n"
                  "  tg.yield %new : tensor<FLOAT>\n"
                  "}\n"
                  "%y = tg.read @w : tensor<4xFLOAT>\n"
                  "%z = tg.read @v : tensor<4xFLOAT>",
                  {y, {"z", "4xFLOAT"}},
                  variables,
                  /*gradient=*/false});
  rows.push_back({"update_integers",
                  {{"x", "5xi8", 0, 0, {127, -128, 0, 5, -1}}},
                  "tg.assign @n, %x : tensor<5xi8>\n"
                  "%w = tg.cast %x {element_type = i16} : (tensor<5xi8>) -> "
                  "tensor<5xi16>\n"
                  "tg.assign @m, %w : tensor<5xi16>\n"
                  "tg.update [[@n, @m]] : () -> () {\n"
                  "^bb0(%a: tensor<i8>, %b: tensor<i16>):\n"
                  "  %c = tg.mul %b, %b : (tensor<i16>, tensor<i16>) -> "
                  "tensor<i16>\n"
                  "  %d = tg.add %a, %a : (tensor<i8>, tensor<i8>) -> "
                  "tensor<i8>\n"
                  "  tg.yield %d, %c : tensor<i8>, tensor<i16>\n"
                  "}\n"
                  "%y = tg.read @n : tensor<5xi8>\n"
                  "%z = tg.read @m : tensor<5xi16>",
                  {{"y", "5xi8"}, {"z", "5xi16"}},
                  variables,
                  /*gradient=*/false});
  rows.push_back({"stop_gradient_passes_values",
                  {x},
                  "%s = tg.stop_gradient %x : tensor<4xFLOAT>\n"
                  "%y = tg.exp %s : tensor<4xFLOAT>",
                  {y},
                  "",
                  /*gradient=*/false});
  rows.push_back({"gradient_of_exp",
                  {x},
                  "%e = tg.exp %x : tensor<4xFLOAT>\n"
                  "%l = tg.reduce_sum %e : (tensor<4xFLOAT>) -> tensor<FLOAT>\n"
                  "%y = tg.gradient %l wrt(%x) : (tensor<FLOAT>, "
                  "tensor<4xFLOAT>) -> tensor<4xFLOAT>",
                  {y}});
}
