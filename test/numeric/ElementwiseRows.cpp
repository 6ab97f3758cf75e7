//===- ElementwiseRows.cpp - rows of the elementwise ops ------------------===//
#include "test/numeric/OpRows.h"
#include <cmath>
#include <limits>

using namespace tg::test;

/// What an elementwise op must get right besides ordinary numbers.
static std::vector<double> specialNumbers() {
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  return {0.0, -0.0, 1.0,  -1.0, infinity, -infinity,
          nan, 0.5,  -0.5, 2.5,  1e-40};
}

/// Rows of y = tg.op x: one element, a row, unknown extents, a long row, and
/// special numbers.
static void addUnary(std::vector<OpRow> &rows, const std::string &op,
                     double low = -2.0, double high = 2.0) {
  std::string body = "%y = tg." + op + " %x : TYPE";
  auto add = [&](std::string suffix, std::string type, bool gradient) {
    OpRow row{op + suffix, {{"x", type, low, high}}, body, {{"y", type}}};
    row.gradient = gradient;
    rows.push_back(row);
  };
  add("_scalar", "FLOAT", true);
  add("_row", "7xFLOAT", true);
  add("_unknown", "3?x5xFLOAT", true);
  add("_long", "3x341xFLOAT", false);
  add("_empty", "0?x5xFLOAT", false);
  OpRow special{
      op + "_special", {{"x", "11xFLOAT"}}, body, {{"y", "11xFLOAT"}}};
  special.inputs[0].elements = specialNumbers();
  special.gradient = false;
  rows.push_back(special);
}

/// Rows of y = tg.op a, b: equal shapes, broadcasting, unknown extents.
static void addBinary(std::vector<OpRow> &rows, const std::string &op,
                      RowTensor a, RowTensor b) {
  auto add = [&](std::string suffix, std::string typeA, std::string typeB,
                 std::string typeY, bool gradient = true) {
    a.type = typeA;
    b.type = typeB;
    rows.push_back({op + suffix,
                    {a, b},
                    "%y = tg." + op + " %a, %b : TYPES",
                    {{"y", typeY}},
                    "",
                    gradient});
  };
  add("_equal", "2x5xFLOAT", "2x5xFLOAT", "2x5xFLOAT");
  add("_row", "3?x5xFLOAT", "5xFLOAT", "3?x5xFLOAT");
  add("_column", "3?x1xFLOAT", "3?x5xFLOAT", "3?x5xFLOAT");
  add("_outer", "4x1xFLOAT", "1x3xFLOAT", "4x3xFLOAT");
  add("_scalar", "FLOAT", "6xFLOAT", "6xFLOAT");
  add("_long", "3x341xFLOAT", "341xFLOAT", "3x341xFLOAT", false);
}

/// Value rows of a binary op on other element types.
static void addIntegers(std::vector<OpRow> &rows, const std::string &op,
                        const std::vector<std::string> &types,
                        bool divisor = false) {
  for (const std::string &type : types) {
    double low = type == "ui8" || type == "i1" ? 0 : -100;
    double high = type == "i1" ? 1 : 100;
    rows.push_back({op + "_" + type,
                    {{"a", "2x9x" + type, low, high},
                     {"b", "9x" + type, divisor ? 1 : low, high}},
                    "%y = tg." + op + " %a, %b : TYPES",
                    {{"y", "2x9x" + type}}});
  }
}

static void addUnaryIntegers(std::vector<OpRow> &rows, const std::string &op,
                             const std::vector<std::string> &types) {
  for (const std::string &type : types)
    rows.push_back({op + "_" + type,
                    {{"x", "19x" + type, type[0] == 'u' ? 0.0 : -100.0, 100}},
                    "%y = tg." + op + " %x : TYPE",
                    {{"y", "19x" + type}}});
}

/// A quotient of a number that no extent tells: (2n + 1) / 2 - n, for n = -1
/// rounded toward zero.
static void addNumbers(std::vector<OpRow> &rows) {
  std::string type = " : (tensor<i64>, tensor<i64>) -> tensor<i64>\n";
  rows.push_back({"div_number",
                  {{"n", "i64", 0, 0, {-1}}},
                  "%one = tg.constant dense<1> : tensor<i64>\n"
                  "%two = tg.constant dense<2> : tensor<i64>\n"
                  "%m = tg.mul %n, %two" + type +
                  "%k = tg.add %m, %one" + type +
                  "%q = tg.div %k, %two" + type +
                  "%y = tg.sub %q, %n" + type,
                  {{"y", "i64"}}});
}

static void addSelections(std::vector<OpRow> &rows) {
  for (std::string predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    for (std::string type : {"FLOAT", "i64", "i32", "ui8"})
      rows.push_back({"compare_" + predicate + "_" + type,
                      {{"a", "3?x8x" + type, 0, 3}, {"b", "8x" + type, 0, 3}},
                      "%y = tg.compare " + predicate + ", %a, %b : TYPES",
                      {{"y", "3?x8xi1"}}});
    rows.push_back({"compare_" + predicate + "_special",
                    {{"a", "11x1xFLOAT", 0, 0, specialNumbers()},
                     {"b", "11xFLOAT", 0, 0, specialNumbers()}},
                    "%y = tg.compare " + predicate + ", %a, %b : TYPES",
                    {{"y", "11x11xi1"}}});
  }
  rows.push_back({"compare_eq_i1",
                  {{"a", "9xi1", 0, 1}, {"b", "9xi1", 0, 1}},
                  "%y = tg.compare eq, %a, %b : TYPES",
                  {{"y", "9xi1"}}});
  std::string select = "%y = tg.select %p, %a, %b : TYPES";
  rows.push_back({"select_equal",
                  {{"p", "7xi1", 0, 1}, {"a", "7xFLOAT"}, {"b", "7xFLOAT"}},
                  select,
                  {{"y", "7xFLOAT"}}});
  rows.push_back({"select_broadcast",
                  {{"p", "3?x5xi1", 0, 1}, {"a", "5xFLOAT"}, {"b", "FLOAT"}},
                  select,
                  {{"y", "3?x5xFLOAT"}}});
  rows.push_back(
      {"select_i32",
       {{"p", "5xi1", 0, 1}, {"a", "5xi32", -9, 9}, {"b", "i32", -9, 9}},
       select,
       {{"y", "5xi32"}}});
}

static void addCasts(std::vector<OpRow> &rows) {
  for (std::string from : {"FLOAT", "i64", "i32", "ui8", "i1"})
    for (std::string to : {"f64", "f32", "i64", "i32", "ui8", "i1"}) {
      double low = from[0] == 'u' || from == "i1" ? 0 : -300;
      double high = from == "i1" ? 1 : from[0] == 'u' ? 255 : 300;
      rows.push_back({"cast_" + from + "_" + to,
                      {{"x", "17x" + from, low, high}},
                      "%y = tg.cast %x {element_type = " + to + "} : TYPES",
                      {{"y", "17x" + to}},
                      "",
                      /*gradient=*/false});
    }
  // The ends of the ranges.
  std::vector<double> numbers = specialNumbers();
  numbers.insert(numbers.end(), {1e10, -1e10, 1e30, -1e30, 255.5, -0.9});
  for (std::string to : {"i64", "i32", "ui8", "i1"})
    rows.push_back({"cast_special_" + to,
                    {{"x", "17xFLOAT", 0, 0, numbers}},
                    "%y = tg.cast %x {element_type = " + to + "} : TYPES",
                    {{"y", "17x" + to}}});
  rows.push_back({"cast_there_and_back",
                  {{"x", "5xFLOAT"}},
                  "%a = tg.cast %x {element_type = f64} : (tensor<5xFLOAT>) -> "
                  "tensor<5xf64>\n"
                  "%y = tg.cast %a {element_type = FLOAT} : (tensor<5xf64>) -> "
                  "tensor<5xFLOAT>",
                  {{"y", "5xFLOAT"}}});
}

void tg::test::addElementwiseRows(std::vector<OpRow> &rows) {
  for (std::string op : {"abs", "neg", "sign", "floor", "round", "exp", "expm1",
                         "tanh", "sigmoid", "erf", "relu"})
    addUnary(rows, op);
  addUnary(rows, "log", 0.1, 4.0);
  addUnary(rows, "log1p", -0.9, 4.0);
  addUnary(rows, "sqrt", 0.1, 4.0);
  for (std::string op : {"abs", "neg", "sign", "relu", "not"})
    addUnaryIntegers(rows, op, {"i64", "i32", "ui8"});
  rows.push_back({"not_i1",
                  {{"x", "9xi1", 0, 1}},
                  "%y = tg.not %x : TYPE",
                  {{"y", "9xi1"}}});

  for (std::string op : {"add", "sub", "mul", "maximum", "minimum"}) {
    addBinary(rows, op, {"a", ""}, {"b", ""});
    addIntegers(rows, op, {"i64", "i32", "ui8"});
  }
  addBinary(rows, "div", {"a", ""}, {"b", "", 0.5, 2.0});
  addBinary(rows, "remainder", {"a", "", -9.0, 9.0}, {"b", "", 1.5, 2.5});
  addBinary(rows, "pow", {"a", "", 0.5, 2.0}, {"b", ""});
  for (std::string op : {"div", "remainder"})
    addIntegers(rows, op, {"i64", "i32", "ui8"}, /*divisor=*/true);
  for (std::string op : {"and", "or", "xor"})
    addIntegers(rows, op, {"i64", "i32", "ui8", "i1"});
  for (std::string op :
       {"add", "sub", "mul", "div", "remainder", "pow", "maximum", "minimum"})
    rows.push_back({op + "_special",
                    {{"a", "11x1xFLOAT", 0, 0, specialNumbers()},
                     {"b", "11xFLOAT", 0, 0, specialNumbers()}},
                    "%y = tg." + op + " %a, %b : TYPES",
                    {{"y", "11x11xFLOAT"}},
                    "",
                    /*gradient=*/false});
  addSelections(rows);
  addNumbers(rows);
  addCasts(rows);
}
