//===- RegionGradientRows.cpp - rows with gradients through regions -------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

/// Expands $V to tensor<4xFLOAT>, $S to tensor<FLOAT>, $P to tensor<i1> and $I
/// to tensor<i64> in the text.
static std::string spell(std::string text) {
  const std::pair<std::string, std::string> words[] = {
      {"$V", "tensor<4xFLOAT>"},
      {"$S", "tensor<FLOAT>"},
      {"$P", "tensor<i1>"},
      {"$I", "tensor<i64>"},
      {"$M", "tensor<4x4xFLOAT>"}};
  for (const auto &[word, type] : words)
    for (size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + type.size()))
      text.replace(at, word.size(), type);
  return text;
}

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

static void addBranchRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "4xFLOAT"}, w{"w", "4xFLOAT"}, y{"y", "4xFLOAT"};
  // Both branches use x, only one uses w, and the gradient needs values of a
  // branch.
  std::string branches = spell(R"(
    %y = tg.if %p : ($P) -> $V {
      %t = tg.tanh %x : $V
      %m = tg.mul %t, %w : ($V, $V) -> $V
      %e = tg.exp %m : $V
      %r = tg.mul %e, %m : ($V, $V) -> $V
      tg.yield %r : $V
    } else {
      %s = tg.sigmoid %x : $V
      %r = tg.mul %s, %s : ($V, $V) -> $V
      tg.yield %r : $V
    })");
  for (double taken : {1.0, 0.0})
    rows.push_back({taken ? "if_then" : "if_else",
                    {{"p", "i1", 0, 1, {taken}}, x, w},
                    branches,
                    {y}});
  // A dynamic dimension, a branch that yields a captured value, and a branch in
  // a branch.
  for (double inner : {1.0, 0.0})
    rows.push_back({inner ? "if_nested_then" : "if_nested_else",
                    {{"p", "i1", 0, 1, {1}},
                     {"q", "i1", 0, 1, {inner}},
                     {"x", "3?x4xFLOAT"},
                     {"w", "4xFLOAT"}},
                    R"(
    %y = tg.if %p : (tensor<i1>) -> tensor<?x4xFLOAT> {
      %a = tg.mul %x, %w : (tensor<?x4xFLOAT>, tensor<4xFLOAT>) -> tensor<?x4xFLOAT>
      %b = tg.if %q : (tensor<i1>) -> tensor<?x4xFLOAT> {
        %t = tg.tanh %a : tensor<?x4xFLOAT>
        %r = tg.mul %t, %a : (tensor<?x4xFLOAT>, tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>
        tg.yield %r : tensor<?x4xFLOAT>
      } else {
        tg.yield %x : tensor<?x4xFLOAT>
      }
      %c = tg.mul %b, %a : (tensor<?x4xFLOAT>, tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>
      tg.yield %c : tensor<?x4xFLOAT>
    } else {
      tg.yield %x : tensor<?x4xFLOAT>
    })",
                    {{"y", "3?x4xFLOAT"}}});
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

static void addLoopRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "4xFLOAT", -1, 1}, w{"w", "4xFLOAT", -1, 1};
  std::string loop = spell(R"(
    %zero = tg.constant dense<0> : $I
    %one = tg.constant dense<1> : $I
    %i_last, %y = tg.while inits(%zero, %x) {max_trip = 6} : ($I, $V) -> ($I, $V) cond {
    ^bb0(%i: $I, %v: $V):
      %more = tg.compare lt, %i, %n : ($I, $I) -> $P
      tg.yield %more : $P
    } do {
    ^bb0(%i: $I, %v: $V):
      %j = tg.add %i, %one : ($I, $I) -> $I
      %m = tg.mul %v, %w : ($V, $V) -> $V
      %t = tg.tanh %m : $V
      %u = tg.add %t, %x : ($V, $V) -> $V
      tg.yield %j, %u : $I, $V
    })");
  for (int iterations : {0, 1, 4, 6})
    rows.push_back({"while_" + std::to_string(iterations) + "_trips",
                    {{"n", "i64", 0, 9, {double(iterations)}}, x, w},
                    loop,
                    {{"y", "4xFLOAT"}}});
  // The condition depends on differentiated values; dimensions are dynamic.
  rows.push_back({"while_condition_of_floats",
                  {{"x", "2?x3xFLOAT", 0.5, 0.9}, {"w", "3xFLOAT", 1.1, 1.5}},
                  R"(
    %limit = tg.constant dense<40.0> : tensor<FLOAT>
    %y = tg.while inits(%x) {max_trip = 20} : (tensor<?x3xFLOAT>) -> tensor<?x3xFLOAT> cond {
    ^bb0(%v: tensor<?x3xFLOAT>):
      %s = tg.reduce_sum %v : (tensor<?x3xFLOAT>) -> tensor<FLOAT>
      %more = tg.compare lt, %s, %limit : (tensor<FLOAT>, tensor<FLOAT>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%v: tensor<?x3xFLOAT>):
      %m = tg.mul %v, %w : (tensor<?x3xFLOAT>, tensor<3xFLOAT>) -> tensor<?x3xFLOAT>
      %u = tg.add %m, %x : (tensor<?x3xFLOAT>, tensor<?x3xFLOAT>) -> tensor<?x3xFLOAT>
      tg.yield %u : tensor<?x3xFLOAT>
    })",
                  {{"y", "2?x3xFLOAT"}}});
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

/// Returns a scan: state <- tanh(x_t k + state r + b), with all states stacked.
static std::string recurrent(std::string attributes, std::string steps,
                             std::string batch) {
  std::string text = R"(
    %last, %states = tg.scan inits(%h) inputs(%x) ATTRIBUTES : (tensor<BxFIVE>, tensor<TxBxTHREE>) -> (tensor<BxFIVE>, tensor<TxBxFIVE>) {
    ^bb0(%old: tensor<BxFIVE>, %in: tensor<BxTHREE>):
      %a = tg.matmul %in, %k : (tensor<BxTHREE>, tensor<3xFIVE>) -> tensor<BxFIVE>
      %b = tg.matmul %old, %r : (tensor<BxFIVE>, tensor<5xFIVE>) -> tensor<BxFIVE>
      %c = tg.add %a, %b : (tensor<BxFIVE>, tensor<BxFIVE>) -> tensor<BxFIVE>
      %d = tg.add %c, %bias : (tensor<BxFIVE>, tensor<FIVE>) -> tensor<BxFIVE>
      %new = tg.tanh %d : tensor<BxFIVE>
      tg.yield %new, %new : tensor<BxFIVE>, tensor<BxFIVE>
    })";
  const std::pair<std::string, std::string> words[] = {
      {"ATTRIBUTES", attributes},
      {"FIVE", "5xFLOAT"},
      {"THREE", "3xFLOAT"},
      {"<TxB", "<" + steps + "x" + batch},
      {"<Bx", "<" + batch + "x"}};
  for (const auto &[word, value] : words)
    for (size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  return text;
}

static OpRow recurrentRow(std::string name, std::string attributes, int steps,
                          bool isStatic) {
  // The interpreter has no shape for the stacked results of a scan without
  // steps. Empty segments are also scans without steps.
  bool hasEmptyScan = steps == 0 || attributes == "{segments = 9}";
  bool isBatchStatic = isStatic || hasEmptyScan;
  std::string t = std::to_string(steps) + (isStatic ? "" : "?");
  std::string b = isBatchStatic ? "2" : "2?";
  return {name,
          {{"x", t + "x" + b + "x3xFLOAT", -1, 1},
           {"h", b + "x5xFLOAT", -1, 1},
           {"k", "3x5xFLOAT", -1, 1},
           {"r", "5x5xFLOAT", -0.5, 0.5},
           {"bias", "5xFLOAT", -1, 1}},
          recurrent(attributes, isStatic ? std::to_string(steps) : "?",
                    isBatchStatic ? "2" : "?"),
          {{"last", b + "x5xFLOAT"}, {"states", t + "x" + b + "x5xFLOAT"}}};
}

static void addRecurrentRows(std::vector<OpRow> &rows) {
  rows.push_back(recurrentRow("scan_recurrent", "", 5, true));
  rows.push_back(recurrentRow("scan_recurrent_unknown", "", 4, false));
  rows.push_back(recurrentRow("scan_recurrent_reverse", "{reverse}", 4, false));
  rows.push_back(recurrentRow("scan_recurrent_once", "", 1, false));
  rows.push_back(recurrentRow("scan_recurrent_never", "", 0, false));
  rows.push_back(recurrentRow("scan_segments", "{segments = 3}", 7, true));
  rows.push_back(
      recurrentRow("scan_segments_equal", "{segments = 2}", 6, true));
  rows.push_back(
      recurrentRow("scan_segments_unknown", "{segments = 3}", 8, false));
  rows.push_back(recurrentRow("scan_segments_reverse",
                              "{reverse, segments = 3}", 8, false));
  rows.push_back(recurrentRow("scan_segments_many", "{segments = 9}", 4, true));
  rows.push_back(
      recurrentRow("scan_segments_many_unknown", "{segments = 9}", 4, false));
  rows.push_back(
      recurrentRow("scan_segments_never", "{segments = 3}", 0, false));
}

static void addScanRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "4xFLOAT", -1, 1}, w{"w", "4xFLOAT", -1, 1};
  RowTensor xs{"xs", "3x4xFLOAT", -1, 1}, y{"y", "4xFLOAT"};
  // No inputs; carried values that swap; one that nothing is computed from.
  rows.push_back({"scan_length",
                  {x, w},
                  spell(R"(
    %y, %z, %unused = tg.scan inits(%x, %w, %x) {length = 4} : ($V, $V, $V) -> ($V, $V, $V) {
    ^bb0(%a: $V, %b: $V, %c: $V):
      %m = tg.mul %a, %b : ($V, $V) -> $V
      %s = tg.sigmoid %m : $V
      tg.yield %b, %s, %a : $V, $V, $V
    })"),
                  {y, {"z", "4xFLOAT"}}});
  // The product of a loop-invariant batch of matrices and one matrix per step.
  rows.push_back({"scan_matrix_by_some",
                  {{"a", "2x3x4xFLOAT", -1, 1},
                   {"h", "2x3x5xFLOAT", -1, 1},
                   {"x", "2x4x5xFLOAT", -1, 1}},
                  R"(
    %y = tg.scan inits(%h) inputs(%x) : (tensor<2x3x5xFLOAT>, tensor<2x4x5xFLOAT>) -> tensor<2x3x5xFLOAT> {
    ^bb0(%old: tensor<2x3x5xFLOAT>, %in: tensor<4x5xFLOAT>):
      %p = tg.matmul %a, %in : (tensor<2x3x4xFLOAT>, tensor<4x5xFLOAT>) -> tensor<2x3x5xFLOAT>
      %s = tg.add %p, %old : (tensor<2x3x5xFLOAT>, tensor<2x3x5xFLOAT>) -> tensor<2x3x5xFLOAT>
      %t = tg.tanh %s : tensor<2x3x5xFLOAT>
      tg.yield %t : tensor<2x3x5xFLOAT>
    })",
                  {{"y", "2x3x5xFLOAT"}}});
  rows.push_back({"scan_sum",
                  {x, {"xs", "3?x4xFLOAT"}},
                  spell(R"(
    %y = tg.scan inits(%x) inputs(%xs) : ($V, tensor<?x4xFLOAT>) -> $V {
    ^bb0(%sum: $V, %item: $V):
      %next = tg.add %sum, %item : ($V, $V) -> $V
      tg.yield %next : $V
    })"),
                  {y}});
  // A table row and a random sample per step, indexed by a carried counter.
  std::string counted = R"(
    %zero = tg.constant dense<0> : $I
    %one = tg.constant dense<1> : $I
    %seed = tg.constant dense<7> : $I
    %half = tg.constant dense<0.5> : $S
    %count, %y = tg.scan inits(%zero, %x) inputs(%at) ATTRIBUTES : ($I, $V, tensor<5xi64>) -> ($I, $V) {
    ^bb0(%i: $I, %v: $V, %place: $I):
      %row = tg.gather %xs, %place : (tensor<3x4xFLOAT>, $I) -> $V
      %draw = tg.random_uniform %seed, %i {element_type = FLOAT, shape = [4], stream = 3} : ($I, $I) -> $V
      %keep = tg.compare gt, %draw, %half : ($V, $S) -> tensor<4xi1>
      %m = tg.mul %v, %row : ($V, $V) -> $V
      %t = tg.tanh %m : $V
      %next = tg.select %keep, %t, %v : (tensor<4xi1>, $V, $V) -> $V
      %j = tg.add %i, %one : ($I, $I) -> $I
      tg.yield %j, %next : $I, $V
    })";
  for (std::string attributes : {"", "{segments = 2}"}) {
    std::string body = counted;
    body.replace(body.find("ATTRIBUTES"), 10, attributes);
    rows.push_back({attributes.empty() ? "scan_draws" : "scan_draws_segments",
                    {{"at", "5xi64", 0, 2, {0, 2, 1, 1, 0}}, x, xs},
                    spell(body),
                    {y}});
  }
}

//===----------------------------------------------------------------------===//
// Regions in regions
//===----------------------------------------------------------------------===//

static void addNestedRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "4xFLOAT", -1, 1}, w{"w", "4xFLOAT", -1, 1};
  RowTensor y{"y", "4xFLOAT"};
  for (std::string attributes : {"", "{segments = 2}"}) {
    std::string suffix = attributes.empty() ? "" : "_segments";
    rows.push_back(
        {"scan_in_scan" + suffix,
         {{"xs", "3?x2x4xFLOAT", -1, 1}, x, w},
         spell(R"(
    %y, %all = tg.scan inits(%x) inputs(%xs) )" +
               attributes +
               R"( : ($V, tensor<?x2x4xFLOAT>) -> ($V, tensor<?x2x4xFLOAT>) {
    ^bb0(%outer: $V, %item: tensor<2x4xFLOAT>):
      %in, %each = tg.scan inits(%outer) inputs(%item) : ($V, tensor<2x4xFLOAT>) -> ($V, tensor<2x4xFLOAT>) {
      ^bb0(%v: $V, %z: $V):
        %m = tg.mul %v, %w : ($V, $V) -> $V
        %s = tg.add %m, %z : ($V, $V) -> $V
        %t = tg.tanh %s : $V
        tg.yield %t, %m : $V, $V
      }
      %next = tg.mul %in, %outer : ($V, $V) -> $V
      tg.yield %next, %each : $V, tensor<2x4xFLOAT>
    })"),
         {y, {"all", "3?x2x4xFLOAT"}}});
    rows.push_back({"if_in_scan" + suffix,
                    {{"ps", "5xi1", 0, 1, {1, 0, 0, 1, 1}}, x, w},
                    spell(R"(
    %y = tg.scan inits(%x) inputs(%ps) )" +
                          attributes + R"( : ($V, tensor<5xi1>) -> $V {
    ^bb0(%v: $V, %p: $P):
      %next = tg.if %p : ($P) -> $V {
        %m = tg.mul %v, %w : ($V, $V) -> $V
        %t = tg.tanh %m : $V
        tg.yield %t : $V
      } else {
        %e = tg.sigmoid %v : $V
        tg.yield %e : $V
      }
      tg.yield %next : $V
    })"),
                    {y}});
    rows.push_back({"while_in_scan" + suffix,
                    {{"ns", "4xi64", 0, 3, {2, 0, 3, 1}}, x, w},
                    spell(R"(
    %zero = tg.constant dense<0> : $I
    %one = tg.constant dense<1> : $I
    %y = tg.scan inits(%x) inputs(%ns) )" +
                          attributes + R"( : ($V, tensor<4xi64>) -> $V {
    ^bb0(%v: $V, %n: $I):
      %count, %next = tg.while inits(%zero, %v) {max_trip = 3} : ($I, $V) -> ($I, $V) cond {
      ^bb0(%i: $I, %a: $V):
        %more = tg.compare lt, %i, %n : ($I, $I) -> $P
        tg.yield %more : $P
      } do {
      ^bb0(%i: $I, %a: $V):
        %j = tg.add %i, %one : ($I, $I) -> $I
        %m = tg.mul %a, %w : ($V, $V) -> $V
        %t = tg.tanh %m : $V
        tg.yield %j, %t : $I, $V
      }
      tg.yield %next : $V
    })"),
                    {y}});
  }
  for (double taken : {1.0, 0.0})
    rows.push_back(
        {taken ? "scan_in_if_then" : "scan_in_if_else",
         {{"p", "i1", 0, 1, {taken}}, {"xs", "3?x4xFLOAT", -1, 1}, w},
         spell(R"(
    %y = tg.if %p : ($P) -> $V {
      %v = tg.scan inits(%w) inputs(%xs) : ($V, tensor<?x4xFLOAT>) -> $V {
      ^bb0(%a: $V, %b: $V):
        %m = tg.mul %a, %b : ($V, $V) -> $V
        %t = tg.tanh %m : $V
        tg.yield %t : $V
      }
      tg.yield %v : $V
    } else {
      %s = tg.reduce_sum %xs {axes = [0]} : (tensor<?x4xFLOAT>) -> $V
      tg.yield %s : $V
    })"),
         {y}});
  rows.push_back({"scan_in_while",
                  {{"n", "i64", 0, 3, {2}}, {"xs", "2x4xFLOAT", -1, 1}, w},
                  spell(R"(
    %zero = tg.constant dense<0> : $I
    %one = tg.constant dense<1> : $I
    %count, %y = tg.while inits(%zero, %w) {max_trip = 3} : ($I, $V) -> ($I, $V) cond {
    ^bb0(%i: $I, %a: $V):
      %more = tg.compare lt, %i, %n : ($I, $I) -> $P
      tg.yield %more : $P
    } do {
    ^bb0(%i: $I, %a: $V):
      %j = tg.add %i, %one : ($I, $I) -> $I
      %v = tg.scan inits(%a) inputs(%xs) {reverse} : ($V, tensor<2x4xFLOAT>) -> $V {
      ^bb0(%b: $V, %c: $V):
        %m = tg.mul %b, %c : ($V, $V) -> $V
        %t = tg.tanh %m : $V
        tg.yield %t : $V
      }
      tg.yield %j, %v : $I, $V
    })"),
                  {y}});
}

void tg::test::addRegionGradientRows(std::vector<OpRow> &rows) {
  addBranchRows(rows);
  addLoopRows(rows);
  addRecurrentRows(rows);
  addScanRows(rows);
  addNestedRows(rows);
}
