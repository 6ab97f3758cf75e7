/// Rows of the table of tolerances: functions that consist of several ops.
#include "ToleranceRows.h"

#include <limits>

using namespace tg;

static const Shape rowsOf4 = {Extent(3, "n"), 4};
static const Given sequence = {{Extent(3, "n"), Extent(5, "t"), 2}};
static const Given lengths = {{Extent(3, "n")}, i64, {5, 0, 2}};
static const Given places = {
    {Extent(4, "k"), 2}, i64, {0, 0, 1, 2, 1, 2, 2, 0}};
static const Given ids = {{Extent(4, "k")}, i64, {0, 2, 1, 2}};
static const Given four = {{Extent(4, "k")}};

/// Returns a row with one result and one input of four columns.
static Row rowOf(const std::string &name, Activation function) {
  return {name, {{rowsOf4}}, [=](const Tensors &x) {
            return Tensors{function(x[0])};
          }};
}

static void addElementwise(std::vector<Row> &rows) {
  rows.push_back(rowOf("tan", tg::tan));
  rows.push_back(rowOf("atan", [](Tensor x) { return atan(x * 2.0); }));
  rows.push_back(rowOf("asin", [](Tensor x) { return asin(x * 0.9); }));
  rows.push_back(rowOf("acos", [](Tensor x) { return acos(x * 0.9); }));
  rows.push_back(rowOf("sinh", tg::sinh));
  rows.push_back(rowOf("cosh", tg::cosh));
}

static void addReductions(std::vector<Row> &rows) {
  for (double order : {1., 2., std::numeric_limits<double>::infinity()})
    rows.push_back(
        rowOf("norm of order " + std::to_string(order), [=](Tensor x) {
          return norm(x, {.axes = {1}, .order = order});
        }));
  for (bool exclusive : {false, true})
    for (bool reverse : {false, true})
      rows.push_back(rowOf(
          "cumprod" + std::string(exclusive ? " exclusive" : "") +
              (reverse ? " reverse" : ""),
          [=](Tensor x) {
            return cumprod(reverse ? x : relu(x), {.axis = reverse ? 0 : 1,
                                                   .exclusive = exclusive,
                                                   .reverse = reverse});
          }));
}

static void addSequences(std::vector<Row> &rows) {
  rows.push_back({"reverseSequence", {sequence, lengths}, [](auto x) {
                    return Tensors{reverseSequence(x[0], x[1]) * x[0]};
                  }});
  rows.push_back({"sinusoids", {sequence}, [](auto x) {
                    return Tensors{x[0] *
                                   sinusoids(positions(x[0], 1), 2, f64)};
                  }});
  rows.push_back(
      {"slice of a size of the run", {{rowsOf4}, lengths}, [](auto x) {
         Tensor size = x[1][2];
         return Tensors{
             slice(square(x[0]), {.starts = {0, 1}, .sizes = {size, -1}})};
       }});
  rows.push_back({"range", {{rowsOf4}, lengths}, [](auto x) {
                    Tensor numbers = range(x[1][2], {.max = 3});
                    return Tensors{gather(square(x[0]), numbers)};
                  }});
  rows.push_back(
      {"ctcLoss",
       {{{Extent(3, "n"), Extent(5, "t"), 3}},
        {{Extent(3, "n"), Extent(2, "l")}, i64, {1, 2, 2, 2, 1, 0}},
        {{Extent(3, "n")}, i64, {5, 4, 3}},
        {{Extent(3, "n")}, i64, {2, 2, 1}}},
       [](auto x) { return Tensors{ctcLoss(x[0], x[1], x[2], x[3])}; }});
}

static void addSparse(std::vector<Row> &rows) {
  rows.push_back(
      {"sparseTensorDenseMatmul", {places, four, {{3, 2}}}, [](auto x) {
         return Tensors{sparseTensorDenseMatmul({x[0], x[1], {3, 3}}, x[2])};
       }});
  for (Combiner combiner : {Combiner::sum, Combiner::mean, Combiner::sqrtn})
    rows.push_back(
        {"embeddingLookupSparse " + std::to_string(int(combiner)),
         {places, ids, four, {{3, 2}}},
         [=](auto x) {
           return Tensors{embeddingLookupSparse(
               x[3], {x[0], x[1], {3, 3}},
               {.combiner = combiner, .weights = square(x[2]) + 0.5})};
         }});
}

std::vector<Row> functionRows() {
  std::vector<Row> rows;
  addElementwise(rows);
  addReductions(rows);
  addSequences(rows);
  addSparse(rows);
  return rows;
}
