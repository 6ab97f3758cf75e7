//===- RegionExtentRows.cpp - gradients of regions, dynamic shapes --------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

/// Appends rows in which two inputs share a dimension in one branch only.
static void addBranchRows(std::vector<OpRow> &rows) {
  for (double taken : {1.0, 0.0})
    rows.push_back({taken ? "if_shared_extent_then" : "if_shared_extent_else",
                    {{"p", "i1", 0, 1, {taken}},
                     {"x", "2x3?x2xFLOAT"},
                     {"a", "3?x2xFLOAT"}},
                    R"(
    %b = tg.sin %a : tensor<?x2xFLOAT>
    %y = tg.if %p : (tensor<i1>) -> tensor<FLOAT> {
      %t = tg.tanh %b : tensor<?x2xFLOAT>
      %s = tg.reduce_sum %t : (tensor<?x2xFLOAT>) -> tensor<FLOAT>
      tg.yield %s : tensor<FLOAT>
    } else {
      %t = tg.sigmoid %x : tensor<2x?x2xFLOAT>
      %m = tg.mul %t, %b : (tensor<2x?x2xFLOAT>, tensor<?x2xFLOAT>) -> tensor<2x?x2xFLOAT>
      %e = tg.mul %m, %t : (tensor<2x?x2xFLOAT>, tensor<2x?x2xFLOAT>) -> tensor<2x?x2xFLOAT>
      %s = tg.reduce_sum %e : (tensor<2x?x2xFLOAT>) -> tensor<FLOAT>
      tg.yield %s : tensor<FLOAT>
    })",
                    {{"y", "FLOAT"}}});
}

/// Appends a row whose stacked elements have the dimensions of a captured
/// value, which no earlier op has named.
static void addCapturedRow(std::vector<OpRow> &rows) {
  rows.push_back({"scan_captured_extent",
                  {{"x", "3?x2?x4xFLOAT"}, {"a", "2?x4xFLOAT"}},
                  R"(
    %y = tg.scan inputs(%x) : (tensor<?x?x4xFLOAT>) -> (tensor<?x?x4xFLOAT>) {
    ^bb0(%item: tensor<?x4xFLOAT>):
      %s = tg.sin %item : tensor<?x4xFLOAT>
      %sum = tg.mul %a, %s : (tensor<?x4xFLOAT>, tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>
      tg.yield %sum : tensor<?x4xFLOAT>
    })",
                  {{"y", "3?x2?x4xFLOAT"}}});
}

/// Returns a loop of at most 3 iterations that carries %v of `type` from `init`
/// to `result`. `body` computes %u from it.
static std::string countedLoop(const std::string &result,
                               const std::string &init, const std::string &type,
                               int iterations, const std::string &body) {
  std::string types = "(tensor<i64>, " + type + ")";
  std::string carried = "\n    ^bb0(%i: tensor<i64>, %v: " + type + "):";
  return R"(
    %zero = tg.constant dense<0> : tensor<i64>
    %one = tg.constant dense<1> : tensor<i64>
    %iterations = tg.constant dense<)" +
         std::to_string(iterations) + R"(> : tensor<i64>
    %n, )" +
         result + " = tg.while inits(%zero, " + init +
         ") {max_trip = 3} : " + types + " -> " + types + " cond {" + carried +
         R"(
      %more = tg.compare lt, %i, %iterations : (tensor<i64>, tensor<i64>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {)" +
         carried + R"(
      %j = tg.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>)" +
         body + "\n      tg.yield %j, %u : tensor<i64>, " + type + "\n    }\n";
}

/// Appends rows of loops in branches and after loops. Their tapes have the
/// dimensions of inputs.
static void addLoopRows(std::vector<OpRow> &rows) {
  std::string loop = countedLoop("%last", "%from", "tensor<?x2xFLOAT>", 2, R"(
        %m = tg.mul %v, %v : (tensor<?x2xFLOAT>, tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT>
        %u = tg.tanh %m : tensor<?x2xFLOAT>)");
  for (double taken : {1.0, 0.0})
    rows.push_back({taken ? "if_of_while_then" : "if_of_while_else",
                    {{"p", "i1", 0, 1, {taken}}, {"x", "3?x2xFLOAT", 0.5, 2}},
                    R"(
    %from = tg.sin %x : tensor<?x2xFLOAT>
    %y = tg.if %p : (tensor<i1>) -> tensor<?x2xFLOAT> {)" +
                        loop + R"(
      tg.yield %last : tensor<?x2xFLOAT>
    } else {
      %t = tg.tanh %from : tensor<?x2xFLOAT>
      tg.yield %t : tensor<?x2xFLOAT>
    })",
                    {{"y", "3?x2xFLOAT"}}});
  // The segments of a scan's stacked results are concatenated again: the result
  // is as long as the input.
  rows.push_back({"while_after_segments",
                  {{"x", "7?x2xFLOAT", 0.5, 2}},
                  R"(
    %h = tg.constant dense<0.5> : tensor<2xFLOAT>
    %end, %from = tg.scan inits(%h) inputs(%x) {segments = 3} : (tensor<2xFLOAT>, tensor<?x2xFLOAT>) -> (tensor<2xFLOAT>, tensor<?x2xFLOAT>) {
    ^bb0(%old: tensor<2xFLOAT>, %in: tensor<2xFLOAT>):
      %m = tg.mul %old, %in : (tensor<2xFLOAT>, tensor<2xFLOAT>) -> tensor<2xFLOAT>
      %t = tg.sin %m : tensor<2xFLOAT>
      tg.yield %t, %t : tensor<2xFLOAT>, tensor<2xFLOAT>
    })" + loop,
                  {{"last", "7?x2xFLOAT"}}});
}

/// Appends rows of loops and branches in which the ops of a region check that
/// captured and local values share a dimension, with either operand first.
static void addCheckedRows(std::vector<OpRow> &rows) {
  for (bool isFirst : {true, false}) {
    std::string operands = isFirst ? "%c, %v" : "%v, %c";
    rows.push_back(
        {isFirst ? "while_captured_first" : "while_carried_first",
         {{"x", "3?x2xFLOAT", 0.5, 2}, {"a", "3?x2xFLOAT", 0.5, 2}},
         R"(
    %b = tg.sin %x : tensor<?x2xFLOAT>
    %c = tg.sin %a : tensor<?x2xFLOAT>)" +
             countedLoop(
                 "%y", "%b", "tensor<?x2xFLOAT>", 2,
                 R"(
      %u = tg.mul )" +
                     operands +
                     R"( : (tensor<?x2xFLOAT>, tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT>)"),
         {{"y", "3?x2xFLOAT"}}});
  }
  for (double taken : {1.0, 0.0})
    rows.push_back(
        {taken ? "if_checked_extent_then" : "if_checked_extent_else",
         {{"p", "i1", 0, 1, {taken}}, {"x", "3?x2xFLOAT"}, {"a", "3?x2xFLOAT"}},
         R"(
    %b = tg.sin %x : tensor<?x2xFLOAT>
    %y = tg.if %p : (tensor<i1>) -> tensor<?x2xFLOAT> {
      %m = tg.mul %a, %b : (tensor<?x2xFLOAT>, tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT>
      tg.yield %m : tensor<?x2xFLOAT>
    } else {
      tg.yield %b : tensor<?x2xFLOAT>
    })",
         {{"y", "3?x2xFLOAT"}}});
}

/// Appends rows with loop-invariant products, in loops with and without
/// iterations.
static void addInvariantRows(std::vector<OpRow> &rows) {
  for (int iterations : {0, 2})
    rows.push_back({"while_invariant_" + std::to_string(iterations),
                    {{"x", "3x2?xFLOAT"}, {"a", "2?x2?xFLOAT"}},
                    countedLoop("%y", "%x", "tensor<3x?xFLOAT>", iterations, R"(
      %s = tg.sin %a : tensor<?x?xFLOAT>
      %p = tg.matmul %s, %a : (tensor<?x?xFLOAT>, tensor<?x?xFLOAT>) -> tensor<?x?xFLOAT>
      %u = tg.matmul %v, %p : (tensor<3x?xFLOAT>, tensor<?x?xFLOAT>) -> tensor<3x?xFLOAT>)"),
                    {{"y", "3x2?xFLOAT"}}});
}

/// Appends rows with products that are invariant to two loops and to a branch
/// with a loop-invariant condition.
static void addNestedInvariantRows(std::vector<OpRow> &rows) {
  for (auto [outer, inner] : {std::pair(0, 2), {2, 0}, {2, 1}})
    rows.push_back({"while_invariant_" + std::to_string(outer) + "_of_" +
                        std::to_string(inner),
                    {{"x", "3x2?xFLOAT"}, {"a", "2?x2?xFLOAT"}},
                    R"(
    %zero = tg.constant dense<0> : tensor<i64>
    %one = tg.constant dense<1> : tensor<i64>
    %outer = tg.constant dense<)" +
                        std::to_string(outer) +
                        R"(> : tensor<i64>
    %inner = tg.constant dense<)" +
                        std::to_string(inner) +
                        R"(> : tensor<i64>
    %n, %y = tg.while inits(%zero, %x) {max_trip = 3} : (tensor<i64>, tensor<3x?xFLOAT>) -> (tensor<i64>, tensor<3x?xFLOAT>) cond {
    ^bb0(%i: tensor<i64>, %v: tensor<3x?xFLOAT>):
      %more = tg.compare lt, %i, %outer : (tensor<i64>, tensor<i64>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<i64>, %v: tensor<3x?xFLOAT>):
      %j = tg.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %m, %z = tg.while inits(%zero, %v) {max_trip = 3} : (tensor<i64>, tensor<3x?xFLOAT>) -> (tensor<i64>, tensor<3x?xFLOAT>) cond {
      ^bb0(%k: tensor<i64>, %w: tensor<3x?xFLOAT>):
        %most = tg.compare lt, %k, %inner : (tensor<i64>, tensor<i64>) -> tensor<i1>
        tg.yield %most : tensor<i1>
      } do {
      ^bb0(%k: tensor<i64>, %w: tensor<3x?xFLOAT>):
        %l = tg.add %k, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
        %even = tg.compare lt, %inner, %outer : (tensor<i64>, tensor<i64>) -> tensor<i1>
        %r = tg.if %even : (tensor<i1>) -> tensor<3x?xFLOAT> {
          %s = tg.sin %a : tensor<?x?xFLOAT>
          %p = tg.matmul %s, %s : (tensor<?x?xFLOAT>, tensor<?x?xFLOAT>) -> tensor<?x?xFLOAT>
          %q = tg.matmul %w, %p : (tensor<3x?xFLOAT>, tensor<?x?xFLOAT>) -> tensor<3x?xFLOAT>
          tg.yield %q : tensor<3x?xFLOAT>
        } else {
          tg.yield %w : tensor<3x?xFLOAT>
        }
        %p = tg.matmul %a, %a : (tensor<?x?xFLOAT>, tensor<?x?xFLOAT>) -> tensor<?x?xFLOAT>
        %q = tg.matmul %r, %p : (tensor<3x?xFLOAT>, tensor<?x?xFLOAT>) -> tensor<3x?xFLOAT>
        tg.yield %l, %q : tensor<i64>, tensor<3x?xFLOAT>
      }
      tg.yield %j, %z : tensor<i64>, tensor<3x?xFLOAT>
    })",
                    {{"y", "3x2?xFLOAT"}}});
}

/// Appends a row with one new carried value that replaces two old ones and is
/// computed from them.
static void addCarryRows(std::vector<OpRow> &rows) {
  rows.push_back({"while_carries_one_value_twice",
                  {{"x", "4xFLOAT"}, {"w", "4xFLOAT"}},
                  R"(
    %zero = tg.constant dense<0> : tensor<i64>
    %one = tg.constant dense<1> : tensor<i64>
    %three = tg.constant dense<3> : tensor<i64>
    %n, %y, %z = tg.while inits(%zero, %x, %w) {max_trip = 3} : (tensor<i64>, tensor<4xFLOAT>, tensor<4xFLOAT>) -> (tensor<i64>, tensor<4xFLOAT>, tensor<4xFLOAT>) cond {
    ^bb0(%i: tensor<i64>, %a: tensor<4xFLOAT>, %b: tensor<4xFLOAT>):
      %more = tg.compare lt, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<i64>, %a: tensor<4xFLOAT>, %b: tensor<4xFLOAT>):
      %j = tg.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %r = tg.reverse %a {axes = [0]} : tensor<4xFLOAT>
      %m = tg.mul %r, %a : (tensor<4xFLOAT>, tensor<4xFLOAT>) -> tensor<4xFLOAT>
      %t = tg.sin %m : tensor<4xFLOAT>
      tg.yield %j, %t, %t : tensor<i64>, tensor<4xFLOAT>, tensor<4xFLOAT>
    })",
                  {{"y", "4xFLOAT"}, {"z", "4xFLOAT"}}});
}

void tg::test::addRegionExtentRows(std::vector<OpRow> &rows) {
  addBranchRows(rows);
  addCapturedRow(rows);
  addLoopRows(rows);
  addCheckedRows(rows);
  addInvariantRows(rows);
  addNestedInvariantRows(rows);
  addCarryRows(rows);
}
