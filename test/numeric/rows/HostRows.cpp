//===- HostRows.cpp - rows of host calls, prints and asserts --------------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

void tg::test::addHostRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "3?x4xFLOAT"}, y{"y", "3?x4xFLOAT"};
  rows.push_back({"host_call",
                  {x},
                  "%n = tg.dim %x {axis = 0} : (tensor<?x4xFLOAT>) -> "
                  "tensor<i64>\n"
                  "%e = tg.exp %x : tensor<?x4xFLOAT>\n"
                  "%h = tg.host_call \"square\"(%e) sizes(%n) : "
                  "(tensor<?x4xFLOAT>, tensor<i64>) -> tensor<?x4xFLOAT>\n"
                  "%y = tg.neg %h : tensor<?x4xFLOAT>",
                  {y},
                  "",
                  /*gradient=*/false});
  // The operation of a user, by its version for CPUs.
  rows.push_back({"cuda_call",
                  {x},
                  "%n = tg.dim %x {axis = 0} : (tensor<?x4xFLOAT>) -> "
                  "tensor<i64>\n"
                  "%e = tg.exp %x : tensor<?x4xFLOAT>\n"
                  "%h = tg.cuda_call \"square\"(%e) sizes(%n) kernel "
                  "<ptx = \"\"> : (tensor<?x4xFLOAT>, tensor<i64>) -> "
                  "tensor<?x4xFLOAT>\n"
                  "%y = tg.neg %h : tensor<?x4xFLOAT>",
                  {y},
                  "",
                  /*gradient=*/false});
  // Results are returned directly as outputs; one result is unused.
  rows.push_back({"host_call_twice",
                  {{"x", "2x3xi16"}},
                  "%y, %p = tg.host_call \"reverse_signs\"(%x) : "
                  "(tensor<2x3xi16>) -> (tensor<2x3xi16>, tensor<6xi1>)\n"
                  "%z, %q = tg.host_call \"reverse_signs\"(%y) {pure} : "
                  "(tensor<2x3xi16>) -> (tensor<2x3xi16>, tensor<6xi1>)",
                  {{"y", "2x3xi16"}, {"p", "6xi1"}, {"z", "2x3xi16"}},
                  "",
                  /*gradient=*/false});
  // A host function that writes nothing leaves zeros; booleans written by a
  // host function become 0 or 1.
  rows.push_back({"host_call_of_nothing",
                  {{"x", "5xi1"}},
                  "tg.host_call \"nothing\"() : () -> ()\n"
                  "%y = tg.host_call \"nothing\"(%x) : (tensor<5xi1>) -> "
                  "tensor<0x3xFLOAT>\n"
                  "%z = tg.host_call \"nothing\"(%x) : (tensor<5xi1>) -> "
                  "tensor<7xi64>",
                  {{"y", "0x3xFLOAT"}, {"z", "7xi64"}},
                  "",
                  /*gradient=*/false});
  rows.push_back({"print",
                  {x},
                  "%e = tg.exp %x : tensor<?x4xFLOAT>\n"
                  "tg.print \"e\", %e : tensor<?x4xFLOAT>\n"
                  "%y = tg.neg %e : tensor<?x4xFLOAT>",
                  {y}});
  rows.push_back({"assert",
                  {x},
                  "%s = tg.mul %x, %x : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>\n"
                  "%least = tg.reduce_min %s : (tensor<?x4xFLOAT>) -> "
                  "tensor<FLOAT>\n"
                  "%zero = tg.constant dense<0.0> : tensor<FLOAT>\n"
                  "%ok = tg.compare ge, %least, %zero : (tensor<FLOAT>, "
                  "tensor<FLOAT>) -> tensor<i1>\n"
                  "tg.assert %ok, \"squares are not negative\" : tensor<i1>\n"
                  "%y = tg.mul %s, %x : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>",
                  {y}});
  // The second gradient differentiates the ops of the first.
  rows.push_back({"custom_gradient",
                  {x},
                  "%c = tg.custom_gradient %x : (tensor<?x4xFLOAT>) -> "
                  "tensor<?x4xFLOAT> {\n"
                  "^bb0(%in: tensor<?x4xFLOAT>):\n"
                  "  %n = tg.dim %in {axis = 0} : (tensor<?x4xFLOAT>) -> "
                  "tensor<i64>\n"
                  "  %out = tg.host_call \"square\"(%in) sizes(%n) {pure} : "
                  "(tensor<?x4xFLOAT>, tensor<i64>) -> tensor<?x4xFLOAT>\n"
                  "  tg.yield %out : tensor<?x4xFLOAT>\n"
                  "} gradient {\n"
                  "^bb0(%in: tensor<?x4xFLOAT>, %out: tensor<?x4xFLOAT>, "
                  "%grad: tensor<?x4xFLOAT>):\n"
                  "  %double = tg.add %in, %in : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>\n"
                  "  %in_grad = tg.mul %double, %grad : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>\n"
                  "  tg.yield %in_grad : tensor<?x4xFLOAT>\n"
                  "}\n"
                  "%y = tg.exp %c : tensor<?x4xFLOAT>",
                  {y}});
  // The gradient is a host function that has a gradient itself.
  rows.push_back(
      {"custom_gradient_by_host",
       {{"x", "5xFLOAT"}},
       "%c, %p = tg.custom_gradient %x : (tensor<5xFLOAT>) -> "
       "(tensor<5xFLOAT>, tensor<5xi1>) {\n"
       "^bb0(%in: tensor<5xFLOAT>):\n"
       "  %out = tg.host_call \"square\"(%in) {pure} : (tensor<5xFLOAT>) -> "
       "tensor<5xFLOAT>\n"
       "  %r, %q = tg.host_call \"reverse_signs\"(%in) {pure} : "
       "(tensor<5xFLOAT>) -> (tensor<5xFLOAT>, tensor<5xi1>)\n"
       "  tg.yield %out, %q : tensor<5xFLOAT>, tensor<5xi1>\n"
       "} gradient {\n"
       "^bb0(%in: tensor<5xFLOAT>, %out: tensor<5xFLOAT>, %q: tensor<5xi1>, "
       "%grad: tensor<5xFLOAT>):\n"
       "  %in_grad = tg.custom_gradient %in, %grad : (tensor<5xFLOAT>, "
       "tensor<5xFLOAT>) -> tensor<5xFLOAT> {\n"
       "  ^bb0(%a: tensor<5xFLOAT>, %b: tensor<5xFLOAT>):\n"
       "    %r = tg.host_call \"square_grad\"(%a, %b) {pure} : "
       "(tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>\n"
       "    tg.yield %r : tensor<5xFLOAT>\n"
       "  } gradient {\n"
       "  ^bb0(%a: tensor<5xFLOAT>, %b: tensor<5xFLOAT>, %r: tensor<5xFLOAT>, "
       "%g: tensor<5xFLOAT>):\n"
       "    %ga = tg.host_call \"square_grad\"(%b, %g) {pure} : "
       "(tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>\n"
       "    %gb = tg.host_call \"square_grad\"(%a, %g) {pure} : "
       "(tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>\n"
       "    tg.yield %ga, %gb : tensor<5xFLOAT>, tensor<5xFLOAT>\n"
       "  }\n"
       "  tg.yield %in_grad : tensor<5xFLOAT>\n"
       "}\n"
       "%y = tg.mul %c, %x : (tensor<5xFLOAT>, tensor<5xFLOAT>) -> "
       "tensor<5xFLOAT>",
       {{"y", "5xFLOAT"}, {"p", "5xi1"}}});
}
