//===- ReductionRows.cpp - rows of reductions, normalizations, losses -----===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

/// Appends rows of one reduction over every choice of axes of a matrix, and
/// more.
static void addReductions(std::vector<OpRow> &rows, const std::string &op) {
  auto add = [&](std::string suffix, std::string attributes, std::string from,
                 std::string to, bool gradient = true) {
    OpRow row{op + suffix,
              {{"x", from}},
              "%y = tg." + op + " %x " + attributes + " : TYPES",
              {{"y", to}}};
    row.gradient = gradient;
    row.tolerance = 2e-5;
    rows.push_back(row);
  };
  add("_all", "", "3x5xFLOAT", "FLOAT");
  add("_one", "", "FLOAT", "FLOAT");
  add("_none", "{axes = []}", "3x5xFLOAT", "3x5xFLOAT");
  add("_rows", "{axes = [1]}", "3?x5xFLOAT", "3?xFLOAT");
  add("_columns", "{axes = [0]}", "3?x5xFLOAT", "5xFLOAT");
  add("_keep_dims", "{axes = [1], keep_dims}", "3?x5xFLOAT", "3?x1xFLOAT");
  add("_middle", "{axes = [1]}", "2x3x4xFLOAT", "2x4xFLOAT");
  add("_ends", "{axes = [0, 2], keep_dims}", "2x3x4xFLOAT", "1x3x1xFLOAT");
  add("_long_rows", "{axes = [1]}", "9x345xFLOAT", "9xFLOAT", false);
  add("_unknown_rows", "{axes = [1]}", "9x345?xFLOAT", "9xFLOAT", false);
  add("_long_columns", "{axes = [0]}", "345x3xFLOAT", "3xFLOAT", false);
  add("_wide_columns", "{axes = [0]}", "7x345xFLOAT", "345xFLOAT", false);
  add("_nothing", "{axes = [0]}", "0?x5xFLOAT", "5xFLOAT", false);
  const std::string tiles =
      ", tg.order = #tg.order<lines = [3, 2], tile = [2, 4]>}";
  add("_tiles", "{axes = [0, 1, 2]" + tiles, "3?x5x7?x19xFLOAT", "19xFLOAT",
      false);
  add("_tiles_of_lines", "{axes = [0, 1, 3]" + tiles, "5?x7x3x37xFLOAT",
      "3xFLOAT", false);
  for (const std::string &type : integerTypes())
    for (auto [name, axes, from, to] :
         {std::tuple("rows", "[1]", "4x9x", "4x"),
          {"columns", "[0]", "9x4x", "4x"},
          {"everything", "[0, 1]", "3?x345x", ""}})
      rows.push_back({op + "_" + name + "_" + type,
                      {{"x", from + type, 0, 0, edgesOf(type)}},
                      "%y = tg." + op + " %x {axes = " + axes + "} : TYPES",
                      {{"y", to + type}}});
}

static void addPositions(std::vector<OpRow> &rows) {
  rows.push_back({"argmax_rows",
                  {{"x", "3?x9xFLOAT", 0, 5}},
                  "%y = tg.argmax %x {axis = 1} : TYPES",
                  {{"y", "3?xi64"}}});
  for (const std::string &type : integerTypes()) {
    rows.push_back({"argmax_" + type,
                    {{"x", "3?x14x" + type, 0, 0, edgesOf(type)}},
                    "%y = tg.argmax %x {axis = 1} : TYPES",
                    {{"y", "3?xi64"}}});
    rows.push_back({"top_k_" + type,
                    {{"x", "14x" + type, 0, 0, edgesOf(type)}},
                    "%y, %i = tg.top_k %x {k = -1} : TYPES",
                    {{"y", "14x" + type}, {"i", "14xi64"}}});
  }
  rows.push_back({"argmax_columns",
                  {{"x", "9x40xFLOAT"}},
                  "%y = tg.argmax %x {axis = 0, keep_dims} : TYPES",
                  {{"y", "1x40xi64"}}});
  rows.push_back({"top_k_rows",
                  {{"x", "3?x9xFLOAT"}},
                  "%y, %i = tg.top_k %x {k = 3} : TYPES",
                  {{"y", "3?x3xFLOAT"}, {"i", "3?x3xi64"}}});
  rows.push_back({"top_k_many",
                  {{"x", "3?x200xFLOAT"}},
                  "%y, %i = tg.top_k %x {k = 77} : TYPES",
                  {{"y", "3?x77xFLOAT"}, {"i", "3?x77xi64"}}});
  rows.back().gradient = false;
}

/// Appends rows of cumsum: lengths around the vector widths, long ones, and
/// every axis.
static void addRunningSums(std::vector<OpRow> &rows) {
  auto add = [&](std::string suffix, std::string attributes, std::string type,
                 bool gradient = true) {
    for (std::string end :
         {"", ", exclusive", ", reverse", ", exclusive, reverse"}) {
      std::string name = "cumsum" + suffix;
      llvm::copy_if(end, std::back_inserter(name), llvm::isAlpha);
      OpRow row{name,
                {{"x", type}},
                "%y = tg.cumsum %x {" + attributes + end + "} : TYPE",
                {{"y", type}}};
      row.gradient = gradient;
      row.tolerance = 2e-5;
      rows.push_back(row);
    }
  };
  add("_one_", "axis = 0", "1xFLOAT");
  add("_rows_", "axis = 1", "3?x5xFLOAT");
  add("_columns_", "axis = 0", "3?x5xFLOAT");
  add("_middle_", "axis = 1", "2x3?x4xFLOAT");
  add("_unknown_rows_", "axis = 1", "3x37?xFLOAT", false);
  add("_unknown_columns_", "axis = 1", "2x3x37?xFLOAT", false);
  add("_nothing_", "axis = 0", "0?x5xFLOAT", false);
  add("_of_nothing_", "axis = 1", "4x3x0?xFLOAT", false);
  add("_long_rows_", "axis = 1", "3x1000xFLOAT", false);
  add("_long_columns_", "axis = 0", "345x3xFLOAT", false);
  add("_wide_columns_", "axis = 1", "2x7x1300xFLOAT", false);
  for (const std::string &type : integerTypes()) {
    rows.push_back({"cumsum_" + type,
                    {{"x", "4x141x" + type, 0, 0, edgesOf(type)}},
                    "%y = tg.cumsum %x {axis = 1} : TYPE",
                    {{"y", "4x141x" + type}}});
    rows.push_back({"cumsum_columns_" + type,
                    {{"x", "9x40x" + type, 0, 0, edgesOf(type)}},
                    "%y = tg.cumsum %x {axis = 0, exclusive, reverse} : TYPE",
                    {{"y", "9x40x" + type}}});
  }
  // In f32, rounding errors of one sign do not grow with the number of
  // elements.
  for (auto [name, axis, type] :
       {std::tuple("cumsum_longest_row", "0", "1300000xf32"),
        {"cumsum_longest_columns", "0", "400000x3xf32"}})
    rows.push_back(
        {name,
         {{"x", type, 0.1, 0.1}},
         "%y = tg.cumsum %x {axis = " + std::string(axis) + "} : TYPE",
         {{"y", type}},
         "",
         /*gradient=*/false});
}

static void addNormalizations(std::vector<OpRow> &rows) {
  for (std::string op : {"softmax", "log_softmax"}) {
    auto add = [&](std::string suffix, std::string axis, std::string type,
                   bool gradient = true) {
      OpRow row{op + suffix,
                {{"x", type}},
                "%y = tg." + op + " %x {axis = " + axis + "} : TYPE",
                {{"y", type}}};
      row.gradient = gradient;
      rows.push_back(row);
    };
    add("_rows", "1", "3?x5xFLOAT");
    add("_columns", "0", "4x3xFLOAT");
    add("_middle", "1", "2x3x2xFLOAT");
    add("_long", "1", "3x345xFLOAT", false);
  }
  auto add = [&](std::string suffix, std::string attributes, std::string from,
                 std::string to, bool gradient = true) {
    OpRow row{"moments" + suffix,
              {{"x", from}},
              "%m, %v = tg.moments %x " + attributes + " : TYPES",
              {{"m", to}, {"v", to}}};
    row.gradient = gradient;
    rows.push_back(row);
  };
  add("_all", "", "3x4xFLOAT", "FLOAT");
  add("_rows", "{axes = [1], keep_dims}", "3?x5xFLOAT", "3?x1xFLOAT");
  add("_columns", "{axes = [0]}", "3?x5xFLOAT", "5xFLOAT");
  add("_long", "{axes = [0]}", "345x9xFLOAT", "9xFLOAT", false);
  // The means are near 0, and their errors are relative to the elements.
  rows.back().tolerance = 1e-4;
  // f32 far from 0: a rounding error of the mean would show in the variance.
  for (auto [suffix, axis, type] : {std::tuple("_far_rows", "1", "3x5000xf32"),
                                    {"_far_columns", "0", "5000x3xf32"}}) {
    OpRow row{"moments" + std::string(suffix),
              {{"x", type, 999998, 1000002}},
              "%m, %v = tg.moments %x {axes = [" + std::string(axis) +
                  "]} : TYPES",
              {{"m", "3xf32"}, {"v", "3xf32"}}};
    row.gradient = false;
    rows.push_back(row);
  }
  // Several split-K slices of many columns; kept dimensions before and after.
  add("_parts", "{axes = [0]}", "9000?x40xFLOAT", "40xFLOAT", false);
  rows.back().inputs[0].low = 9999, rows.back().inputs[0].high = 10001;
  rows.back().tolerance = 1e-4;
  add("_of_images", "{axes = [1, 2], keep_dims}", "3?x9x10x20xFLOAT",
      "3?x1x1x20xFLOAT", false);
  add("_one_row", "{axes = [0]}", "1?x20xFLOAT", "20xFLOAT", false);
  add("_in_groups", "{axes = [0], tg.order = #tg.order<lines = [3, 4]>}",
      "345?x9xFLOAT", "9xFLOAT", false);
  rows.back().tolerance = 1e-4;
}

/// Returns a row with the mean and variance of a product's result, whose mean
/// is large relative to its standard deviation, and the normalization that
/// follows.
static OpRow momentsOf(const std::string &name, const std::string &op,
                       const RowTensor &x, const RowTensor &w,
                       const std::string &type) {
  auto [rows, element] = llvm::StringRef(type).rsplit('x');
  std::string columns = (rows.rsplit('x').second + "x" + element).str();
  OpRow row{"moments_of_" + name,
            {x, w, {"b", columns, 9999, 10001}},
            "",
            {{"z", type}, {"m", columns}, {"v", columns}}};
  std::string y = row.outputs[0].getType("FLOAT");
  std::string c = row.outputs[1].getType("FLOAT");
  std::string axes = "0";
  for (size_t axis = 1; axis < row.outputs[0].getShape().size() - 1; ++axis)
    axes += ", " + std::to_string(axis);
  std::string both = ": (" + y + ", " + c + ") -> " + y + "\n";
  row.body = "%p = " + op + " : (" + x.getType("FLOAT") + ", " +
             w.getType("FLOAT") + ") -> " + y + "\n%y = tg.add %p, %b " + both +
             "%m, %v = tg.moments %y {axes = [" + axes + "]} : (" + y +
             ") -> (" + c + ", " + c + ")\n%d = tg.sub %y, %m " + both +
             "%z = tg.mul %d, %v " + both;
  row.gradient = false;
  // f32 rounds an element near 10,000 to 1e-3, a thousandth of its distance
  // from the mean; the variance amplifies this error.
  row.tolerance = 2e-2;
  return row;
}

static void addMomentsOfProducts(std::vector<OpRow> &rows) {
  auto tensor = [](std::string name, std::string type) {
    return RowTensor{std::move(name), std::move(type), -0.5, 0.5};
  };
  auto addProduct = [&](std::string name, std::string lhs, std::string rhs,
                        std::string type) {
    rows.push_back(momentsOf(name, "tg.matmul %x, %w", tensor("x", lhs),
                             tensor("w", rhs), type));
  };
  addProduct("product", "431?x70xFLOAT", "70x150xFLOAT", "431?x150xFLOAT");
  addProduct("few_rows", "5x70xFLOAT", "70x33xFLOAT", "5x33xFLOAT");
  const std::string same = "padding = \"same\"";
  auto addConvolution = [&](std::string name, std::string attributes,
                            std::string x, std::string w, std::string type) {
    rows.push_back(momentsOf(name, "tg.conv %x, %w {" + attributes + "}",
                             tensor("x", x), tensor("w", w), type));
  };
  addConvolution("windows", same + ", strides = [2, 2]", "2?x9x11x17xFLOAT",
                 "3x3x17x33xFLOAT", "2?x5x6x33xFLOAT");
  addConvolution("tiles", same, "3x15x13x32xFLOAT", "3x3x32x48xFLOAT",
                 "3x15x13x48xFLOAT");
  addConvolution("groups", "groups = 33 : i64, " + same, "2?x7x19x33xFLOAT",
                 "3x3x1x33xFLOAT", "2?x7x19x33xFLOAT");
  addConvolution("unknown_tiles", same, "2?x7x9x33xFLOAT", "3x3x33x40xFLOAT",
                 "2?x7x9x40xFLOAT");
  // Tiles that the op states, with few channels.
  for (std::string positions : {"4", "2"})
    addConvolution("tiles_by_" + positions,
                   same + ", tg.order = #tg.order<winograd = " + positions +
                       ">",
                   "3?x11x6x5xf32", "3x3x5x19xf32", "3?x11x6x19xf32");
}

/// Appends rows that sum all elements of values computed row by row in the same
/// kernel. One accumulator over all rows would lose digits.
static void addSumsOverRows(std::vector<OpRow> &rows) {
  auto add = [&](std::string name, std::string rowText) {
    OpRow row{"reduce_sum_over_rows_" + name,
              {{"x", "30000?x10xf32", 0, 1}},
              rowText + "%y = tg.reduce_sum %z : (tensor<?x10xf32>) -> "
                        "tensor<f32>",
              {{"y", "f32"}}};
    row.gradient = false;
    rows.push_back(row);
  };
  add("softmax", "%z = tg.softmax %x {axis = 1} : tensor<?x10xf32>\n");
  // Squared differences from a number of each row.
  std::string square = R"(
      %d = tg.sub %x, %m : (tensor<?x10xf32>, tensor<?x1xf32>) -> tensor<?x10xf32>
      %z = tg.mul %d, %d : (tensor<?x10xf32>, tensor<?x10xf32>) -> tensor<?x10xf32>
      )";
  add("from_sums", "%m = tg.reduce_sum %x {axes = [1], keep_dims} : "
                   "(tensor<?x10xf32>) -> tensor<?x1xf32>" +
                       square);
  add("from_maxima", "%m = tg.reduce_max %x {axes = [1], keep_dims} : "
                     "(tensor<?x10xf32>) -> tensor<?x1xf32>" +
                         square);
  // The result of a product whose row tiles are reduced in many partial sums.
  OpRow product{"reduce_sum_over_rows_product",
                {{"x", "30000?x3xf32", 0, 0.2}, {"w", "3x20xf32", 0, 2}},
                "%p = tg.matmul %x, %w : (tensor<?x3xf32>, tensor<3x20xf32>) "
                "-> tensor<?x20xf32>\n"
                "%y = tg.reduce_sum %p {axes = [0]} : (tensor<?x20xf32>) -> "
                "tensor<20xf32>",
                {{"y", "20xf32"}}};
  product.gradient = false;
  rows.push_back(product);
  // A grouped convolution whose lines are reduced in several groups.
  const std::string images = "tensor<5x15x9x17xFLOAT>";
  OpRow groups{
      "reduce_sum_of_groups",
      {{"x", "5x15x9x17xFLOAT"}, {"w", "3x3x1x17xFLOAT"}},
      "%y = tg.conv %x, %w {groups = 17 : i64, padding = \"same\"} : (" +
          images + ", tensor<3x3x1x17xFLOAT>) -> " + images +
          "\n%s = tg.reduce_sum %y {axes = [0, 1, 2]} : (" + images +
          ") -> tensor<17xFLOAT>",
      {{"y", "5x15x9x17xFLOAT"}, {"s", "17xFLOAT"}}};
  groups.gradient = false;
  groups.tolerance = 2e-4;
  rows.push_back(groups);
}

void tg::test::addReductionRows(std::vector<OpRow> &rows) {
  for (std::string op :
       {"reduce_sum", "reduce_prod", "reduce_max", "reduce_min"})
    addReductions(rows, op);
  for (std::string op : {"reduce_max", "reduce_min"})
    rows.push_back({op + "_i1",
                    {{"x", "5x3xi1", 0, 1}},
                    "%y = tg." + op + " %x {axes = [1]} : TYPES",
                    {{"y", "5xi1"}}});
  // Long enough to be split among threads; nothing cancels out.
  for (auto [name, attributes, type] :
       {std::tuple("reduce_sum_tall", "{axes = [0]}", "7xFLOAT"),
        {"reduce_max_tall", "{axes = [0], keep_dims}", "1x7xFLOAT"},
        {"reduce_sum_everything", "", "FLOAT"},
        {"reduce_min_everything", "", "FLOAT"}}) {
    std::string op(name, llvm::StringRef(name).rfind('_'));
    OpRow row{name,
              {{"x", "14000?x7xFLOAT", 1, 2}},
              "%y = tg." + op + " %x " + attributes + " : TYPES",
              {{"y", type}}};
    row.gradient = false;
    row.tolerance = 2e-5;
    rows.push_back(row);
  }
  // Several blocks of a line and of lines, and groups of the parts of lines and
  // of columns.
  for (auto [suffix, attributes, from, to] :
       {std::tuple("blocks", "axes = [1]", "9x9000xFLOAT", "9xFLOAT"),
        {"lines", "axes = [0, 2]", "300x5x40xFLOAT", "5xFLOAT"},
        {"parts_of_lines",
         "axes = [1], tg.order = #tg.order<lanes = 2, accumulators = 2, "
         "blocks = [2, 2, 3]>",
         "5x70000xFLOAT", "5xFLOAT"},
        {"parts_of_columns",
         "axes = [0], tg.order = #tg.order<lines = [3, 2, 5]>", "70000x3xFLOAT",
         "3xFLOAT"}}) {
    OpRow row{"reduce_sum_" + std::string(suffix),
              {{"x", from}},
              "%y = tg.reduce_sum %x {" + std::string(attributes) + "} : TYPES",
              {{"y", to}}};
    row.gradient = false;
    row.tolerance = 2e-4;
    rows.push_back(row);
  }
  // In f32, rounding errors of one sign do not grow with the number of
  // elements.
  for (auto [name, type] : {std::pair("reduce_sum_long", "1200x1000xf32"),
                            {"reduce_sum_longer_row", "1300000xf32"}}) {
    OpRow row{name,
              {{"x", type, 0.1, 0.1}},
              "%y = tg.reduce_sum %x : TYPES",
              {{"y", "f32"}}};
    row.gradient = false;
    rows.push_back(row);
  }
  OpRow tall{"reduce_sum_taller",
             {{"x", "200000x3xf32", 0.1, 0.1}},
             "%y = tg.reduce_sum %x {axes = [0]} : TYPES",
             {{"y", "3xf32"}}};
  tall.gradient = false;
  rows.push_back(tall);
  // A zero makes the gradients of the other elements of its group 0, but their
  // second derivatives are not 0.
  rows.push_back({"reduce_prod_zeros",
                  {{"x", "3x2xFLOAT", 0, 0, {0.0, 2.0, 0.0, 0.0, 3.0, 4.0}}},
                  "%y = tg.reduce_prod %x {axes = [1]} : TYPES",
                  {{"y", "3xFLOAT"}}});
  rows.push_back(
      {"reduce_prod_zeros_of_several_axes",
       {{"x", "2x3?x2xFLOAT", 0, 0, {0.0, 2.0, 1.5, 0.5, 3.0, -1.0, 0.5}}},
       "%y = tg.reduce_prod %x {axes = [0, 2], keep_dims} : TYPES",
       {{"y", "1x3?x1xFLOAT"}}});
  addSumsOverRows(rows);
  addPositions(rows);
  addRunningSums(rows);
  addNormalizations(rows);
  addMomentsOfProducts(rows);
  std::string loss = "%y = tg.softmax_cross_entropy %x, %t : TYPES";
  for (std::string type : {"i32", "i64", "ui8"})
    rows.push_back({"softmax_cross_entropy_" + type,
                    {{"x", "3?x5xFLOAT"}, {"t", "3?x" + type, 0, 4}},
                    loss,
                    {{"y", "3?xFLOAT"}}});
  rows.push_back({"softmax_cross_entropy_distribution",
                  {{"x", "3?x5xFLOAT"}, {"t", "3?x5xFLOAT", 0.0, 1.0}},
                  loss,
                  {{"y", "3?xFLOAT"}}});
  rows.push_back({"softmax_cross_entropy_one",
                  {{"x", "5xFLOAT"}, {"t", "i32", 0, 4}},
                  loss,
                  {{"y", "FLOAT"}}});
}
