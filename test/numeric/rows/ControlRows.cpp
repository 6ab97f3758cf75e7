//===- ControlRows.cpp - rows of branches and loops -----------------------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

/// Returns the last sum and the sums before each step.
static const char *const kSums = R"(
%y, %z = tg.scan inits(%s) inputs(%x) {ATTRIBUTES} : (tensor<5xFLOAT>, tensor<?x5xFLOAT>) -> (tensor<5xFLOAT>, tensor<?x5xFLOAT>) {
^bb0(%acc: tensor<5xFLOAT>, %item: tensor<5xFLOAT>):
  %two = tg.add %acc, %acc : (tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>
  %next = tg.sub %item, %two : (tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>
  tg.yield %next, %acc : tensor<5xFLOAT>, tensor<5xFLOAT>
})";

static std::string withAttributes(std::string text, const std::string &list) {
  std::string what = "ATTRIBUTES";
  return text.replace(text.find(what), what.size(), list);
}

static void addScanRows(std::vector<OpRow> &rows) {
  RowTensor s{"s", "5xFLOAT"}, y{"y", "5xFLOAT"};
  for (const char *steps : {"6", "1", "0"})
    for (const char *order : {"", "reverse"}) {
      std::string extent = std::string(steps) + "?";
      rows.push_back({"scan_" + std::string(steps) + order,
                      {s, {"x", extent + "x5xFLOAT"}},
                      withAttributes(kSums, order),
                      {y, {"z", extent + "x5xFLOAT"}}});
    }
  // Captured weights, a dynamic batch, and two carried values that swap.
  rows.push_back(
      {"scan_exchange",
       {{"x", "7?x3?x4xFLOAT"},
        {"w", "4x4xFLOAT"},
        {"a", "3?x4xFLOAT"},
        {"b", "3?x4xFLOAT"}},
       R"(
%y, %z, %all = tg.scan inits(%a, %b) inputs(%x) : (tensor<?x4xFLOAT>, tensor<?x4xFLOAT>, tensor<?x?x4xFLOAT>) -> (tensor<?x4xFLOAT>, tensor<?x4xFLOAT>, tensor<?x?x4xFLOAT>) {
^bb0(%one: tensor<?x4xFLOAT>, %other: tensor<?x4xFLOAT>, %item: tensor<?x4xFLOAT>):
  %p = tg.matmul %one, %w : (tensor<?x4xFLOAT>, tensor<4x4xFLOAT>) -> tensor<?x4xFLOAT>
  %q = tg.add %p, %item : (tensor<?x4xFLOAT>, tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>
  %t = tg.tanh %q : tensor<?x4xFLOAT>
  tg.yield %other, %t, %t : tensor<?x4xFLOAT>, tensor<?x4xFLOAT>, tensor<?x4xFLOAT>
})",
       {{"y", "3?x4xFLOAT"}, {"z", "3?x4xFLOAT"}, {"all", "7?x3?x4xFLOAT"}}});
  // A scan over a length without inputs; a scan in a scan.
  rows.push_back({"scan_nested",
                  {{"x", "3x4xFLOAT"}, {"s", "4xFLOAT"}},
                  R"(
%y, %all = tg.scan inits(%s) {length = 5} : (tensor<4xFLOAT>) -> (tensor<4xFLOAT>, tensor<5x4xFLOAT>) {
^bb0(%outer: tensor<4xFLOAT>):
  %in = tg.scan inits(%outer) inputs(%x) {reverse} : (tensor<4xFLOAT>, tensor<3x4xFLOAT>) -> tensor<4xFLOAT> {
  ^bb0(%inner: tensor<4xFLOAT>, %item: tensor<4xFLOAT>):
    %p = tg.mul %inner, %item : (tensor<4xFLOAT>, tensor<4xFLOAT>) -> tensor<4xFLOAT>
    %q = tg.add %p, %outer : (tensor<4xFLOAT>, tensor<4xFLOAT>) -> tensor<4xFLOAT>
    tg.yield %q : tensor<4xFLOAT>
  }
  %t = tg.tanh %in : tensor<4xFLOAT>
  tg.yield %t, %in : tensor<4xFLOAT>, tensor<4xFLOAT>
})",
                  {{"y", "4xFLOAT"}, {"all", "5x4xFLOAT"}}});
}

static void addWhileRows(std::vector<OpRow> &rows) {
  for (const char *limit : {"0", "1", "10"})
    rows.push_back({"while_" + std::string(limit),
                    {{"x", "4xFLOAT"}, {"w", "4x4xFLOAT"}},
                    std::string("%n = tg.constant dense<") + limit +
                        R"(> : tensor<i32>
%one = tg.constant dense<1> : tensor<i32>
%zero = tg.constant dense<0> : tensor<i32>
%row = tg.reshape %x {shape = [1, 4]} : (tensor<4xFLOAT>) -> tensor<1x4xFLOAT>
%i, %y = tg.while inits(%zero, %row) {max_trip = 10} : (tensor<i32>, tensor<1x4xFLOAT>) -> (tensor<i32>, tensor<1x4xFLOAT>) cond {
^bb0(%k: tensor<i32>, %v: tensor<1x4xFLOAT>):
  %more = tg.compare lt, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  tg.yield %more : tensor<i1>
} do {
^bb0(%k: tensor<i32>, %v: tensor<1x4xFLOAT>):
  %j = tg.add %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %u = tg.matmul %v, %w : (tensor<1x4xFLOAT>, tensor<4x4xFLOAT>) -> tensor<1x4xFLOAT>
  %t = tg.tanh %u : tensor<1x4xFLOAT>
  tg.yield %j, %t : tensor<i32>, tensor<1x4xFLOAT>
})",
                    {{"i", "i32"}, {"y", "1x4xFLOAT"}}});
  // A captured condition, which can skip the loop altogether.
  rows.push_back({"while_flag_of_outside",
                  {{"p", "i1", 0, 1, {0}}, {"x", "4xFLOAT"}},
                  R"(
%y = tg.while inits(%x) {max_trip = 2} : (tensor<4xFLOAT>) -> tensor<4xFLOAT> cond {
^bb0(%v: tensor<4xFLOAT>):
  tg.yield %p : tensor<i1>
} do {
^bb0(%v: tensor<4xFLOAT>):
  %u = tg.sin %v : tensor<4xFLOAT>
  tg.yield %u : tensor<4xFLOAT>
}
%z = tg.exp %y : tensor<4xFLOAT>)",
                  {{"z", "4xFLOAT"}}});
  // A data-dependent number of iterations: Fibonacci numbers in an array.
  rows.push_back({"while_fibonacci",
                  {{"x", "3xFLOAT"}},
                  R"(
%zero = tg.constant dense<0> : tensor<i64>
%one = tg.constant dense<1> : tensor<i64>
%eight = tg.constant dense<8> : tensor<i64>
%empty = tg.constant dense<0> : tensor<8xi64>
%i, %a, %b, %y = tg.while inits(%zero, %one, %one, %empty) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<8xi64>) -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<8xi64>) cond {
^bb0(%k: tensor<i64>, %f: tensor<i64>, %g: tensor<i64>, %all: tensor<8xi64>):
  %more = tg.compare lt, %k, %eight : (tensor<i64>, tensor<i64>) -> tensor<i1>
  tg.yield %more : tensor<i1>
} do {
^bb0(%k: tensor<i64>, %f: tensor<i64>, %g: tensor<i64>, %all: tensor<8xi64>):
  %row = tg.reshape %f {shape = [1]} : (tensor<i64>) -> tensor<1xi64>
  %next = tg.update_slice %all, %row, %k {starts = [-1]} : (tensor<8xi64>, tensor<1xi64>, tensor<i64>) -> tensor<8xi64>
  %sum = tg.add %f, %g : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %j = tg.add %k, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  tg.yield %j, %g, %sum, %next : tensor<i64>, tensor<i64>, tensor<i64>, tensor<8xi64>
}
%z = tg.neg %x : tensor<3xFLOAT>)",
                  {{"y", "8xi64"}, {"b", "i64"}, {"z", "3xFLOAT"}}});
}

static void addIfRows(std::vector<OpRow> &rows) {
  for (const char *predicate : {"lt", "gt"})
    rows.push_back(
        {"if_" + std::string(predicate),
         {{"x", "3?x4xFLOAT"}, {"w", "4x4xFLOAT"}},
         R"(
%zero = tg.constant dense<0.0> : tensor<FLOAT>
%s = tg.reduce_sum %x : (tensor<?x4xFLOAT>) -> tensor<FLOAT>
%p = tg.compare )" +
             std::string(predicate) +
             R"(, %s, %zero : (tensor<FLOAT>, tensor<FLOAT>) -> tensor<i1>
%y, %z = tg.if %p : (tensor<i1>) -> (tensor<?x4xFLOAT>, tensor<FLOAT>) {
  %m = tg.matmul %x, %w : (tensor<?x4xFLOAT>, tensor<4x4xFLOAT>) -> tensor<?x4xFLOAT>
  %t = tg.relu %m : tensor<?x4xFLOAT>
  tg.yield %t, %s : tensor<?x4xFLOAT>, tensor<FLOAT>
} else {
  %half = tg.constant dense<0.5> : tensor<FLOAT>
  tg.yield %x, %half : tensor<?x4xFLOAT>, tensor<FLOAT>
})",
         {{"y", "3?x4xFLOAT"}, {"z", "FLOAT"}}});
  // Variables that change only in a branch or in a loop body.
  rows.push_back({"if_assigns",
                  {{"x", "6x4xFLOAT"}},
                  R"(
%zero = tg.constant dense<0.0> : tensor<4xFLOAT>
tg.assign @w, %zero : tensor<4xFLOAT>
tg.assign @v, %zero : tensor<4xFLOAT>
%limit = tg.constant dense<0.0> : tensor<FLOAT>
tg.scan inputs(%x) : (tensor<6x4xFLOAT>) -> () {
^bb0(%item: tensor<4xFLOAT>):
  %s = tg.reduce_sum %item : (tensor<4xFLOAT>) -> tensor<FLOAT>
  %p = tg.compare gt, %s, %limit : (tensor<FLOAT>, tensor<FLOAT>) -> tensor<i1>
  tg.if %p : (tensor<i1>) -> () {
    %old = tg.read @w : tensor<4xFLOAT>
    %new = tg.add %old, %item : (tensor<4xFLOAT>, tensor<4xFLOAT>) -> tensor<4xFLOAT>
    tg.assign @w, %new : tensor<4xFLOAT>
  } else {
    tg.update [[@v]] inputs(%item) : (tensor<4xFLOAT>) -> () {
    ^bb0(%weight: tensor<FLOAT>, %grad: tensor<FLOAT>):
      %moved = tg.sub %weight, %grad : (tensor<FLOAT>, tensor<FLOAT>) -> tensor<FLOAT>
      tg.yield %moved : tensor<FLOAT>
    }
  }
  tg.yield
}
%y = tg.read @w : tensor<4xFLOAT>
%z = tg.read @v : tensor<4xFLOAT>)",
                  {{"y", "4xFLOAT"}, {"z", "4xFLOAT"}},
                  rowVariables()});
}

/// Appends rows with dimensions that differ between regions and iterations.
static void addFoundRows(std::vector<OpRow> &rows) {
  rows.push_back({"while_grows",
                  {{"n", "i64", 0, 0, {7}}},
                  R"(
%start = tg.constant dense<[1, 1]> : tensor<2xi32>
%x0 = tg.ensure_shape %start {shape = [-1]} : (tensor<2xi32>) -> tensor<?xi32>
%two = tg.constant dense<2> : tensor<i64>
%one = tg.constant dense<1> : tensor<i64>
%last, %y = tg.while inits(%two, %x0) : (tensor<i64>, tensor<?xi32>) -> (tensor<i64>, tensor<?xi32>) cond {
^bb0(%i: tensor<i64>, %v: tensor<?xi32>):
  %more = tg.compare lt, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
  tg.yield %more : tensor<i1>
} do {
^bb0(%i: tensor<i64>, %v: tensor<?xi32>):
  %j = tg.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %length = tg.dim %v {axis = 0} : (tensor<?xi32>) -> tensor<i64>
  %s = tg.sub %length, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %tail = tg.slice %v, %s {sizes = [2], starts = [-1]} : (tensor<?xi32>, tensor<i64>) -> tensor<2xi32>
  %next = tg.reduce_sum %tail {axes = [0], keep_dims} : (tensor<2xi32>) -> tensor<1xi32>
  %all = tg.concat %v, %next {axis = 0} : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %u = tg.ensure_shape %all {bounds = [16], shape = [-1]} : (tensor<?xi32>) -> tensor<?xi32>
  tg.yield %j, %u : tensor<i64>, tensor<?xi32>
})",
                  {{"y", "7?xi32"}}});
  // Keeps the positive elements and subtracts 1 in each iteration.
  rows.push_back({"while_shrinks",
                  {{"x", "6?x2xFLOAT", 0, 0, {3, 1, 2, 5, 1, 4}}},
                  R"(
%one = tg.constant dense<1.0> : tensor<FLOAT>
%zero = tg.constant dense<0.0> : tensor<FLOAT>
%few = tg.constant dense<2> : tensor<i64>
%y = tg.while inits(%x) : (tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT> cond {
^bb0(%v: tensor<?x2xFLOAT>):
  %length = tg.dim %v {axis = 0} : (tensor<?x2xFLOAT>) -> tensor<i64>
  %more = tg.compare gt, %length, %few : (tensor<i64>, tensor<i64>) -> tensor<i1>
  tg.yield %more : tensor<i1>
} do {
^bb0(%v: tensor<?x2xFLOAT>):
  %less = tg.sub %v, %one : (tensor<?x2xFLOAT>, tensor<FLOAT>) -> tensor<?x2xFLOAT>
  %least = tg.reduce_min %less {axes = [1]} : (tensor<?x2xFLOAT>) -> tensor<?xFLOAT>
  %p = tg.compare gt, %least, %zero : (tensor<?xFLOAT>, tensor<FLOAT>) -> tensor<?xi1>
  %i = tg.nonzero %p : (tensor<?xi1>) -> tensor<?x1xi64>
  %j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
  %z = tg.gather %less, %j : (tensor<?x2xFLOAT>, tensor<?xi64>) -> tensor<?x2xFLOAT>
  %u = tg.ensure_shape %z {bounds = [6, 2], shape = [-1, 2]} : (tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT>
  tg.yield %u : tensor<?x2xFLOAT>
})",
                  {{"y", "2?x2xFLOAT"}}});
  for (double flag : {0.0, 1.0})
    rows.push_back({flag ? "if_longer" : "if_shorter",
                    {{"p", "i1", 0, 0, {flag}}, {"x", "3?x2xFLOAT"}},
                    R"(
%z = tg.if %p : (tensor<i1>) -> tensor<?x2xFLOAT> {
  %all = tg.concat %x, %x {axis = 0} : (tensor<?x2xFLOAT>, tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT>
  tg.yield %all : tensor<?x2xFLOAT>
} else {
  tg.yield %x : tensor<?x2xFLOAT>
}
%y = tg.add %z, %z : (tensor<?x2xFLOAT>, tensor<?x2xFLOAT>) -> tensor<?x2xFLOAT>)",
                    {{"y", flag ? "6?x2xFLOAT" : "3?x2xFLOAT"}}});
}

void tg::test::addControlRows(std::vector<OpRow> &rows) {
  size_t first = rows.size();
  addScanRows(rows);
  addWhileRows(rows);
  addIfRows(rows);
  addFoundRows(rows);
  for (OpRow &row : llvm::MutableArrayRef(rows).drop_front(first))
    row.gradient = row.secondGradient = false;
}
