//===- ElementwiseRows.cpp - rows of the elementwise ops ------------------===//
#include "test/numeric/OpRows.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tg::test;

/// Returns the special numbers that an elementwise op must handle.
static std::vector<double> specialNumbers() {
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  return {0.0, -0.0, 1.0,  -1.0, infinity, -infinity,
          nan, 0.5,  -0.5, 2.5,  1e-40};
}

/// Appends rows of y = tg.op x: one element, a row, dynamic dimensions, a long
/// row, and special numbers.
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

/// Appends rows of y = tg.op a, b: equal shapes, broadcasting, dynamic
/// dimensions.
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

/// Appends a row of y = tg.op a, b with every pair of the type's edge values; 5
/// replaces a divisor of 0. The result has the type `to`.
static void addPairs(std::vector<OpRow> &rows, const std::string &op,
                     const std::string &prefix, const std::string &type,
                     const std::string &to, bool divides = false) {
  std::vector<double> left = edgesOf(type);
  std::vector<double> right = left;
  if (divides)
    std::replace(right.begin(), right.end(), 0.0, 5.0);
  // Each row of a starts one edge value later.
  std::string columns = std::to_string(left.size() + 1) + "x";
  std::string matrix = std::to_string(left.size()) + "x" + columns;
  std::string name = op + "_" + prefix + (prefix.empty() ? "" : "_") + type;
  rows.push_back(
      {name,
       {{"a", matrix + type, 0, 0, left}, {"b", columns + type, 0, 0, right}},
       "%y = tg." + op + " " + prefix + (prefix.empty() ? "" : ", ") +
           "%a, %b : TYPES",
       {{"y", matrix + to}}});
}

static void addIntegers(std::vector<OpRow> &rows, const std::string &op,
                        bool divides = false) {
  for (const std::string &type : integerTypes())
    addPairs(rows, op, "", type, type, divides);
}

static void addUnaryIntegers(std::vector<OpRow> &rows, const std::string &op) {
  for (const std::string &type : integerTypes())
    rows.push_back({op + "_" + type,
                    {{"x", "19x" + type, 0, 0, edgesOf(type)}},
                    "%y = tg." + op + " %x : TYPE",
                    {{"y", "19x" + type}}});
}

/// Appends rows of quotients of a number that is no dimension: (2n + 1) / 2 -
/// n, which for n = -1 rounds toward zero.
static void addNumbers(std::vector<OpRow> &rows) {
  std::string type = " : (tensor<i64>, tensor<i64>) -> tensor<i64>\n";
  rows.push_back({"div_number",
                  {{"n", "i64", 0, 0, {-1}}},
                  "%one = tg.constant dense<1> : tensor<i64>\n"
                  "%two = tg.constant dense<2> : tensor<i64>\n"
                  "%m = tg.mul %n, %two" +
                      type + "%k = tg.add %m, %one" + type +
                      "%q = tg.div %k, %two" + type + "%y = tg.sub %q, %n" +
                      type,
                  {{"y", "i64"}}});
}

static void addSelections(std::vector<OpRow> &rows) {
  for (std::string predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    rows.push_back({"compare_" + predicate + "_unknown",
                    {{"a", "3?x8xFLOAT", 0, 3}, {"b", "8xFLOAT", 0, 3}},
                    "%y = tg.compare " + predicate + ", %a, %b : TYPES",
                    {{"y", "3?x8xi1"}}});
    for (const std::string &type : integerTypes())
      addPairs(rows, "compare", predicate, type, "i1");
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
  for (const std::string &type : integerTypes())
    rows.push_back({"select_" + type,
                    {{"p", "5xi1", 0, 1},
                     {"a", "5x" + type, 0, 0, edgesOf(type)},
                     {"b", type, 0, 9}},
                    select,
                    {{"y", "5x" + type}}});
}

static void addCasts(std::vector<OpRow> &rows) {
  std::vector<std::string> others = integerTypes();
  others.push_back("i1");
  auto add = [&](std::string from, std::string to, std::vector<double> given) {
    rows.push_back({"cast_" + from + "_" + to,
                    {{"x", "17x" + from, -300, 300, given}},
                    "%y = tg.cast %x {element_type = " + to + "} : TYPES",
                    {{"y", "17x" + to}},
                    "",
                    /*gradient=*/false});
  };
  std::vector<std::string> all = others;
  all.insert(all.end(), {"f64", "f32"});
  for (const std::string &to : all) {
    add("FLOAT", to, {});
    for (const std::string &from : others)
      add(from, to, edgesOf(from));
  }
  // The limits of the element types.
  std::vector<double> numbers = specialNumbers();
  numbers.insert(numbers.end(),
                 {1e10, -1e10, 1e30, -1e30, 255.5, -0.9, 127.5, 128, -128.5,
                  -129, 32767.5, 32768, -32768.5, -32769});
  for (const std::string &to : others)
    rows.push_back({"cast_special_" + to,
                    {{"x", "25xFLOAT", 0, 0, numbers}},
                    "%y = tg.cast %x {element_type = " + to + "} : TYPES",
                    {{"y", "25x" + to}}});
  rows.push_back({"cast_there_and_back",
                  {{"x", "5xFLOAT"}},
                  "%a = tg.cast %x {element_type = f64} : (tensor<5xFLOAT>) -> "
                  "tensor<5xf64>\n"
                  "%y = tg.cast %a {element_type = FLOAT} : (tensor<5xf64>) -> "
                  "tensor<5xFLOAT>",
                  {{"y", "5xFLOAT"}}});
}

void tg::test::addElementwiseRows(std::vector<OpRow> &rows) {
  for (std::string op :
       {"abs", "neg", "sign", "floor", "round", "exp", "expm1", "sin", "cos",
        "atan", "tanh", "sigmoid", "erf", "relu"})
    addUnary(rows, op);
  addUnary(rows, "log", 0.1, 4.0);
  addUnary(rows, "log1p", -0.9, 4.0);
  addUnary(rows, "sqrt", 0.1, 4.0);
  // Every exponent, so that the reduction needs all digits of 2/π.
  std::vector<double> angles;
  for (int exponent = -30; exponent < 126; ++exponent)
    angles.push_back(std::ldexp(exponent % 2 ? -1.1 : 1.7, exponent));
  for (std::string op : {"sin", "cos", "atan"})
    rows.push_back({op + "_large",
                    {{"x", "156xFLOAT", 0, 0, angles}},
                    "%y = tg." + op + " %x : TYPE",
                    {{"y", "156xFLOAT"}},
                    "",
                    /*gradient=*/false});
  for (std::string op : {"abs", "neg", "sign", "relu", "not"})
    addUnaryIntegers(rows, op);
  rows.push_back({"not_i1",
                  {{"x", "9xi1", 0, 1}},
                  "%y = tg.not %x : TYPE",
                  {{"y", "9xi1"}}});

  for (std::string op : {"add", "sub", "mul", "maximum", "minimum"}) {
    addBinary(rows, op, {"a", ""}, {"b", ""});
    addIntegers(rows, op);
  }
  addBinary(rows, "div", {"a", ""}, {"b", "", 0.5, 2.0});
  addBinary(rows, "remainder", {"a", "", -9.0, 9.0}, {"b", "", 1.5, 2.5});
  addBinary(rows, "pow", {"a", "", 0.5, 2.0}, {"b", ""});
  for (std::string op : {"div", "remainder"})
    addIntegers(rows, op, /*divides=*/true);
  for (std::string op : {"and", "or", "xor"}) {
    addIntegers(rows, op);
    addPairs(rows, op, "", "i1", "i1");
  }
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
