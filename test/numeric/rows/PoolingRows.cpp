//===- PoolingRows.cpp - rows of pooling and resizing ---------------------===//
#include "test/numeric/OpRows.h"
#include <cmath>

using namespace tg::test;

namespace {
/// A pooling: the shapes of the input and of the result, without the element
/// type, and the attributes.
struct Pool {
  std::string name, input, result, attributes;
};

/// Adds rows one by one.
struct Adder {
  std::vector<OpRow> &rows;

  OpRow &add(std::string name, std::vector<RowTensor> inputs, std::string body,
             std::vector<RowTensor> outputs) {
    rows.push_back({name, inputs, body, outputs});
    return rows.back();
  }
  /// Appends a max_pool of elements of the type, with its indices.
  OpRow &addMax(std::string name, RowTensor x, std::string type, Pool pool,
                std::string indices = "ui8") {
    return add(
        "max_pool_" + name, {x},
        "%y, %i = tg.max_pool %x {" + pool.attributes + "} : TYPES",
        {{"y", pool.result + "x" + type}, {"i", pool.result + "x" + indices}});
  }
};
} // namespace

/// Scalars that are known at function entry: the dimensions of %x.
static const std::string kExtents =
    "%n = tg.dim %x {axis = 0} : (tensor<?x?xf32>) -> tensor<i64>\n"
    "%m = tg.dim %x {axis = 1} : (tensor<?x?xf32>) -> tensor<i64>\n";

/// Returns the poolings. 19 channels are more than a vector and no multiple of
/// one.
static std::vector<Pool> pools() {
  return {
      {"valid", "2x7x6x19", "2x3x5x19", "strides = [2, 1], window = [3, 2]"},
      {"halves", "1x8x8x32", "1x4x4x32", "strides = [2, 2], window = [2, 2]"},
      {"same", "2?x7x8x19", "2?x4x4x19",
       "padding = \"same\", strides = [2, 2], window = [3, 3]"},
      {"same_stride_1", "1x5x6x16", "1x5x6x16",
       "padding = \"same\", window = [3, 3]"},
      {"explicit", "2x9x8x5", "2x8x8x5",
       "dilations = [2, 1], padding = \"explicit\", pads = [2, 1, 0, 1], "
       "window = [3, 2]"},
      {"gaps", "2x9x8x17", "2x3x2x17",
       "dilations = [2, 1], strides = [3, 5], window = [2, 3]"},
      {"row", "3x17x20", "3x6x20",
       "padding = \"same\", strides = [3], window = [4]"},
      {"volume", "2x5x4x6x9", "2x3x4x3x9",
       "padding = \"same\", strides = [2, 1, 2], window = [2, 3, 2]"},
      {"unknown", "2?x7?x8?x19?", "2?x4?x4?x19?",
       "padding = \"same\", strides = [2, 2], window = [3, 3]"},
      {"unknown_valid", "2?x7?x8?x3", "2?x5?x3?x3",
       "strides = [1, 3], window = [3, 2]"},
      {"large", "1x9x10x18", "1x9x4x18",
       "padding = \"same\", strides = [1, 3], window = [5, 6]"},
      {"one_channel", "2x6x9x1", "2x3x9x1",
       "padding = \"same\", strides = [2, 1], window = [3, 3]"},
      {"empty_windows", "2x1x19", "2x2x19",
       "dilations = [3], padding = \"explicit\", pads = [2, 2], window = [2]"},
      {"no_batch", "0?x4x4x8", "0?x3x3x8", "window = [2, 2]"},
  };
}

static void addMaxPools(Adder rows) {
  for (const Pool &pool : pools()) {
    OpRow &row =
        rows.addMax(pool.name, {"x", pool.input + "xFLOAT"}, "FLOAT", pool);
    // Empty windows give -inf.
    row.gradient = pool.name != "empty_windows";
  }
  rows.addMax("wide_index", {"x", "1x20x19x17xFLOAT"}, "FLOAT",
              {"", "", "1x4x3x17", "window = [17, 17]"}, "i32");
  std::string halves = "padding = \"same\", strides = [2, 2], window = [3, 3]";
  for (const std::string &type : integerTypes())
    rows.addMax(type, {"x", "2x5x6x19x" + type, 0, 0, edgesOf(type)}, type,
                {"", "", "2x3x3x19", halves});
  double inf = INFINITY;
  for (auto [name, elements] :
       {std::pair<std::string, std::vector<double>>(
            "mixed_special", {1, NAN, -inf, 0.0, -0.0, inf, -3}),
        {"least_special", {-inf}},
        {"zeros_special", {-0.0, 0.0}}}) {
    RowTensor x{"x", "2x5x6x19xFLOAT", 0, 0, elements};
    rows.addMax(name, x, "FLOAT", {"", "", "2x3x3x19", halves}).gradient =
        false;
  }
}

static void addMaxPoolGrads(Adder rows) {
  auto add = [&](std::string name, std::string windows, std::string input,
                 std::string type, std::vector<double> indices,
                 std::string attributes, std::string indexType = "ui8") {
    rows.add("max_pool_grad_" + name,
             {{"g", windows + "x" + type},
              {"i", windows + "x" + indexType, 0, 0, indices}},
             "%y = tg.max_pool_grad %g, %i {" + attributes + "} : TYPES",
             {{"y", input + "x" + type}});
  };
  std::string same = "padding = \"same\", strides = [2, 2], window = [3, 3]";
  // Indices of padding, of positions outside the window, and of each position
  // of the window.
  std::vector<double> indices = {0, 3, 8, 255, 9, 4, 4, 200, 1, 2, 7, 5, 6};
  add("same", "2x4x4x19", "2x7x8x19", "FLOAT", indices,
      "input_sizes = [7, 8], " + same);
  add("stride_1", "2?x5x6x16", "2?x5x6x16", "FLOAT", indices,
      "input_sizes = [5, 6], padding = \"same\", window = [3, 3]");
  add("dilated", "2x8x8x5", "2x9x8x5", "FLOAT", indices,
      "dilations = [2, 1], input_sizes = [9, 8], padding = \"explicit\", pads "
      "= [2, 1, 0, 1], window = [3, 2]");
  add("gaps", "2x3x2x17", "2x9x8x17", "FLOAT", indices,
      "dilations = [2, 1], input_sizes = [9, 8], strides = [3, 5], window = "
      "[2, 3]");
  add("row", "3x6x20", "3x17x20", "FLOAT", indices,
      "input_sizes = [17], padding = \"same\", strides = [3], window = [4]");
  add("volume", "2x3x4x3x9", "2x5x4x6x9", "FLOAT", indices,
      "input_sizes = [5, 4, 6], padding = \"same\", strides = [2, 1, 2], "
      "window = [2, 3, 2]");
  add("one_channel", "2x4x4x1", "2x7x8x1", "FLOAT", indices,
      "input_sizes = [7, 8], " + same);
  add("wide_index", "1x4x3x17", "1x20x19x17", "FLOAT",
      {-1, 0, 288, 289, 2147483647, -2147483648, 17, 300, 144, 16},
      "input_sizes = [20, 19], window = [17, 17]", "i32");
  for (const std::string &type : integerTypes())
    add(type, "2x3x3x19", "2x5x6x19", type, indices,
        "input_sizes = [5, 6], " + same);
  rows.add(
      "max_pool_grad_unknown",
      {{"g", "2?x4?x4?x19xFLOAT"},
       {"i", "2?x4?x4?x19xui8", 0, 0, indices},
       {"x", "7?x8?xf32"}},
      kExtents +
          "%y = tg.max_pool_grad %g, %i, %n, %m {input_sizes = [-1, -1], " +
          same +
          "} : (tensor<?x?x?x19xFLOAT>, tensor<?x?x?x19xui8>, "
          "tensor<i64>, tensor<i64>) -> TYPE",
      {{"y", "2?x7?x8?x19xFLOAT"}});
}

static void addAvgPools(Adder rows) {
  for (const Pool &pool : pools())
    for (std::string padding : {"", "count_padding, "}) {
      RowTensor x{"x", pool.input + "xFLOAT"};
      RowTensor y{"y", pool.result + "xFLOAT"};
      std::string name = padding.empty() ? pool.name : pool.name + "_counting";
      rows.add("avg_pool_" + name, {x},
               "%y = tg.avg_pool %x {" + padding + pool.attributes +
                   "} : TYPES",
               {y});
      // The adjoint as an op, to test the gradient of the adjoint.
      if (pool.input.find('?', 2) == std::string::npos) {
        std::string sizes = pool.input;
        sizes = sizes.substr(sizes.find('x') + 1);
        sizes = sizes.substr(0, sizes.rfind('x'));
        for (size_t at; (at = sizes.find('x')) != std::string::npos;)
          sizes.replace(at, 1, ", ");
        rows.add("avg_pool_grad_" + name, {{"g", y.type}},
                 "%y = tg.avg_pool_grad %g {" + padding + "input_sizes = [" +
                     sizes + "], " + pool.attributes + "} : TYPES",
                 {{"y", x.type}});
      }
    }
  rows.add(
      "avg_pool_grad_unknown", {{"g", "2?x4?x4?x19xFLOAT"}, {"x", "7?x8?xf32"}},
      kExtents +
          "%y = tg.avg_pool_grad %g, %n, %m {input_sizes = [-1, -1], padding "
          "= \"same\", strides = [2, 2], window = [3, 3]} : "
          "(tensor<?x?x?x19xFLOAT>, tensor<i64>, tensor<i64>) -> TYPE",
      {{"y", "2?x7?x8?x19xFLOAT"}});
  // All windows are full, which only known extents tell.
  std::string thirds =
      "padding = \"same\", strides = [3, 3], window = [3, 3]} : ";
  rows.add("avg_pool_grad_thirds", {{"g", "2x2x3x19xFLOAT"}},
           "%y = tg.avg_pool_grad %g {input_sizes = [6, 9], " + thirds +
               "TYPES",
           {{"y", "2x6x9x19xFLOAT"}});
  rows.add("avg_pool_grad_unknown_thirds",
           {{"g", "2?x2?x3?x19xFLOAT"}, {"x", "6?x9?xf32"}},
           kExtents +
               "%y = tg.avg_pool_grad %g, %n, %m {input_sizes = [-1, "
               "-1], " +
               thirds +
               "(tensor<?x?x?x19xFLOAT>, tensor<i64>, tensor<i64>) -> TYPE",
           {{"y", "2?x6?x9?x19xFLOAT"}});
}

static void addResizes(Adder rows) {
  for (std::string mode : {"nearest", "linear"})
    for (std::string how : {"half_pixel", "align_corners", "asymmetric"}) {
      std::string words = "coordinates = \"" + how + "\", ";
      std::string is = "mode = \"" + mode + "\"";
      auto add = [&](std::string name, std::string small, std::string large,
                     std::string smallSizes, std::string largeSizes) {
        RowTensor x{"x", small + "xFLOAT"}, y{"y", large + "xFLOAT"};
        std::string full = mode + "_" + how + "_" + name;
        rows.add("resize_" + full, {x},
                 "%y = tg.resize %x {" + words + is + ", sizes = [" +
                     largeSizes + "]} : TYPES",
                 {y});
        rows.add("resize_grad_" + full, {{"g", y.type}},
                 "%y = tg.resize_grad %g {" + words + "input_sizes = [" +
                     smallSizes + "], " + is + "} : TYPES",
                 {{"y", x.type}});
      };
      add("up", "2x10x3x19", "2x15x8x19", "10, 3", "15, 8");
      add("twice", "2?x3x4x16", "2?x6x8x16", "3, 4", "6, 8");
      add("down", "2x9x8x5", "2x4x3x5", "9, 8", "4, 3");
      add("same", "1x5x20", "1x5x20", "5", "5");
      add("ends", "2x1x4x7x3", "2x5x1x2x3", "1, 4, 7", "5, 1, 2");
      rows.add("resize_" + mode + "_" + how + "_unknown",
               {{"a", "2?x5?x4x19?xFLOAT"}, {"x", "7?x9?xf32"}},
               kExtents + "%y = tg.resize %a, %n, %m {" + words + is +
                   ", sizes = [-1, -1]} : (tensor<?x?x4x?xFLOAT>, "
                   "tensor<i64>, tensor<i64>) -> TYPE",
               {{"y", "2?x7?x9?x19?xFLOAT"}});
    }
  RowTensor x{"x", "1x4x4x17xFLOAT", 0, 0, {1, INFINITY, -2, NAN, 0.5}};
  rows.add("resize_linear_special", {x},
           "%y = tg.resize %x {coordinates = \"align_corners\", mode = "
           "\"linear\", sizes = [7, 4]} : TYPES",
           {{"y", "1x7x4x17xFLOAT"}})
      .gradient = false;
}

void tg::test::addPoolingRows(std::vector<OpRow> &rows) {
  Adder adder{rows};
  addMaxPools(adder);
  addMaxPoolGrads(adder);
  addAvgPools(adder);
  addResizes(adder);
}
