//===- MovementRows.cpp - rows of shapes, indices and random samples ------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

namespace {
/// Adds rows one by one.
struct Adder {
  std::vector<OpRow> &rows;
  void operator()(std::string name, std::vector<RowTensor> inputs,
                  std::string body, std::string type) {
    rows.push_back({name, inputs, body, {{"y", type}}});
  }
};
} // namespace

static void addShapes(Adder add) {
  RowTensor x{"x", "2x3x4xFLOAT"}, open{"x", "3?x4xFLOAT"};
  add("constant_values", {},
      "%y = tg.constant dense<[1.5, -0.0, 3.0]> : tensor<3xFLOAT>", "3xFLOAT");
  add("constant_splat", {}, "%y = tg.constant dense<2.5> : tensor<3x4xFLOAT>",
      "3x4xFLOAT");
  add("iota_first", {}, "%y = tg.iota {axis = 0, shape = [5, 3]} : TYPES",
      "5x3xi64");
  add("constant_i8", {},
      "%y = tg.constant dense<[-128, 127, 0, -1]> : tensor<4xi8>", "4xi8");
  add("constant_i16", {},
      "%y = tg.constant dense<\"0x00800100FF7F\"> : tensor<3xi16>", "3xi16");
  std::vector<std::string> numeric = integerTypes();
  numeric.insert(numeric.end(), {"f64", "f32"});
  for (const std::string &type : numeric)
    add("iota_" + type, {{"x", "3?x4xf32"}},
        "%n = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>\n"
        "%y = tg.iota %n {axis = 1, element_type = " +
            type + ", shape = [-1, 20]} : (tensor<i64>) -> TYPE",
        "3?x20x" + type);
  add("dim_unknown", {open}, "%y = tg.dim %x {axis = 0} : TYPES", "i64");
  add("ensure_shape_closes", {open},
      "%y = tg.ensure_shape %x {shape = [3, 4]} : TYPES", "3x4xFLOAT");
  add("ensure_shape_opens", {{"x", "3x4xFLOAT"}},
      "%y = tg.ensure_shape %x {shape = [-1, 4]} : TYPES", "3?x4xFLOAT");
  add("reshape_flat", {x}, "%y = tg.reshape %x {shape = [24]} : TYPES",
      "24xFLOAT");
  add("reshape_inferred", {open},
      "%y = tg.reshape %x {shape = [-1, 2]} : TYPES", "6?x2xFLOAT");
  add("transpose_matrix", {open},
      "%y = tg.transpose %x {permutation = [1, 0]} : TYPES", "4x3?xFLOAT");
  add("transpose_rotates", {x},
      "%y = tg.transpose %x {permutation = [2, 0, 1]} : TYPES", "4x2x3xFLOAT");
  add("broadcast_to_rows", {{"x", "4xFLOAT"}},
      "%y = tg.broadcast_to %x {shape = [3, 4]} : TYPES", "3x4xFLOAT");
  add("broadcast_to_unknown", {{"x", "1x4xFLOAT"}, {"like", "3?x2xf32"}},
      "%n = tg.dim %like {axis = 0} : (tensor<?x2xf32>) -> tensor<i64>\n"
      "%y = tg.broadcast_to %x, %n {shape = [2, -1, 4]} : (tensor<1x4xFLOAT>, "
      "tensor<i64>) -> TYPE",
      "2x3?x4xFLOAT");
}

/// Appends rows with data-dependent sizes, and with scalars used as sizes.
static void addFound(Adder add) {
  RowTensor flags{"p", "9xi1", 0, 1, {0, 1, 1, 0, 1, 0, 0, 0, 1}};
  RowTensor matrix{"p", "3?x4xi1", 0, 1, {0, 1, 0, 0, 1, 1}};
  add("nonzero_flat", {flags}, "%y = tg.nonzero %p : TYPES", "4?x1xi64");
  add("nonzero_matrix", {matrix}, "%y = tg.nonzero %p : TYPES", "6?x2xi64");
  add("nonzero_none", {{"p", "5?xi1", 0, 1, {0}}}, "%y = tg.nonzero %p : TYPES",
      "0?x1xi64");
  add("nonzero_all", {{"p", "2x3x2xi1", 0, 1, {1}}},
      "%y = tg.nonzero %p : TYPES", "12?x3xi64");
  add("nonzero_empty", {{"p", "0?xi1", 0, 1, {1}}},
      "%y = tg.nonzero %p : TYPES", "0?x1xi64");
  // Longer than one block of the parallel count.
  add("nonzero_parts", {{"p", "40000?xi1", 0, 1, {0, 1, 0, 0, 1}}},
      "%y = tg.nonzero %p : TYPES", "16000?x1xi64");
  add("nonzero_rows_of_parts", {{"p", "300?x70xi1", 0, 1, {1, 0, 0, 0, 0}}},
      "%y = tg.nonzero %p : TYPES", "4200?x2xi64");
  add("nonzero_masks", {flags, {"x", "9x3xFLOAT"}}, R"(
%i = tg.nonzero %p : (tensor<9xi1>) -> tensor<?x1xi64>
%j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
%z = tg.gather %x, %j : (tensor<9x3xFLOAT>, tensor<?xi64>) -> tensor<?x3xFLOAT>
%t = tg.transpose %z {permutation = [1, 0]} : (tensor<?x3xFLOAT>) -> tensor<3x?xFLOAT>
%y = tg.matmul %t, %z : (tensor<3x?xFLOAT>, tensor<?x3xFLOAT>) -> TYPE)",
      "3x3xFLOAT");
  add("ensure_shape_bounds", {flags}, R"(
%i = tg.nonzero %p : (tensor<9xi1>) -> tensor<?x1xi64>
%y = tg.ensure_shape %i {bounds = [5, 0], shape = [-1, 1]} : (tensor<?x1xi64>) -> TYPE)",
      "4?x1xi64");
  RowTensor number{"n", "i64", 0, 0, {5}};
  add("slice_size_at_run_time", {{"x", "7?x3xFLOAT"}, number},
      "%y = tg.slice %x, %n {sizes = [-1, 3], starts = [1, 0]} : TYPES",
      "5?x3xFLOAT");
  add("iota_at_run_time", {number}, R"(
%i = tg.iota %n {axis = 0, shape = [-1, 2]} : (tensor<i64>) -> tensor<?x2xi64>
%y = tg.ensure_shape %i {bounds = [8, 2], shape = [-1, 2]} : (tensor<?x2xi64>) -> TYPE)",
      "5?x2xi64");
}

static void addBoxes(Adder add) {
  RowTensor x{"x", "5x8xFLOAT"}, open{"x", "5?x8xFLOAT"};
  RowTensor start{"t", "i64", 0, 0, {2}};
  add("slice_box", {x},
      "%y = tg.slice %x {sizes = [2, 3], starts = [1, 4]} : TYPES",
      "2x3xFLOAT");
  add("slice_strides", {x},
      "%y = tg.slice %x {sizes = [2, -1], starts = [1, 1], strides = [3, 2]} : "
      "TYPES",
      "2x4xFLOAT");
  add("slice_start_at_run_time", {open, start},
      "%y = tg.slice %x, %t {sizes = [2, 8], starts = [-1, 0]} : TYPES",
      "2x8xFLOAT");
  add("slice_to_the_end", {open},
      "%y = tg.slice %x {sizes = [-1, 8], starts = [2, 0]} : TYPES",
      "3?x8xFLOAT");
  add("update_slice_box", {x, {"u", "2x3xFLOAT"}},
      "%y = tg.update_slice %x, %u {starts = [1, 4]} : TYPES", "5x8xFLOAT");
  add("update_slice_strides", {x, {"u", "2x3xFLOAT"}},
      "%y = tg.update_slice %x, %u {starts = [0, 1], strides = [3, 2]} : TYPES",
      "5x8xFLOAT");
  add("update_slice_start_at_run_time", {open, {"u", "2x8xFLOAT"}, start},
      "%y = tg.update_slice %x, %u, %t {starts = [-1, 0]} : TYPES",
      "5?x8xFLOAT");
  add("pad_both", {x, {"v", "FLOAT"}},
      "%y = tg.pad %x, %v {high = [1, 2], low = [2, 0]} : TYPES", "8x10xFLOAT");
  add("pad_unknown", {open, {"v", "FLOAT"}},
      "%y = tg.pad %x, %v {high = [0, 1], low = [1, 1]} : TYPES",
      "6?x10xFLOAT");
  add("concat_columns", {{"a", "3?x2xFLOAT"}, {"b", "3?x5xFLOAT"}},
      "%y = tg.concat %a, %b {axis = 1} : TYPES", "3?x7xFLOAT");
  add("concat_rows",
      {{"a", "2x3xFLOAT"}, {"b", "1x3xFLOAT"}, {"c", "4x3xFLOAT"}},
      "%y = tg.concat %a, %b, %c {axis = 0} : TYPES", "7x3xFLOAT");
  add("concat_unknown", {{"a", "2?x3xFLOAT"}, {"b", "1x3xFLOAT"}},
      "%y = tg.concat %a, %b {axis = 0} : TYPES", "3?x3xFLOAT");
  // More inputs than one concatenation kernel takes.
  std::vector<RowTensor> many;
  std::string names;
  for (unsigned number = 0; number < 66; ++number) {
    many.push_back({"a" + std::to_string(number), "1x3xFLOAT"});
    names += (number ? ", %a" : "%a") + std::to_string(number);
  }
  many.front() = {"a0", "2?x3xFLOAT"};
  add("concat_many", many, "%y = tg.concat " + names + " {axis = 0} : TYPES",
      "67?x3xFLOAT");
  add("reverse_columns", {open}, "%y = tg.reverse %x {axes = [1]} : TYPE",
      "5?x8xFLOAT");
  add("reverse_both", {x}, "%y = tg.reverse %x {axes = [0, 1]} : TYPE",
      "5x8xFLOAT");
}

static void addIndices(Adder add) {
  for (const std::string &type : integerTypes()) {
    RowTensor x{"x", "6x9x" + type, 0, 0, edgesOf(type)};
    RowTensor i{"i", "4xi32", 0, 0, {1, 5, 1, 0}};
    add("gather_" + type, {x, i}, "%y = tg.gather %x, %i : TYPES",
        "4x9x" + type);
    add("scatter_" + type, {x, i, {"u", "4x9x" + type, 0, 0, edgesOf(type)}},
        "%y = tg.scatter %x, %i, %u : TYPES", "6x9x" + type);
  }
  for (std::string type : {"i32", "i64"})
    add("gather_rows_" + type,
        {{"x", "6x5xFLOAT"}, {"i", "3?x2x" + type, 0, 5}},
        "%y = tg.gather %x, %i : TYPES", "3?x2x5xFLOAT");
  add("gather_columns", {{"x", "4?x6xFLOAT"}, {"i", "3xi32", 0, 5}},
      "%y = tg.gather %x, %i {axis = 1} : TYPES", "4?x3xFLOAT");
  add("gather_batches", {{"x", "3x6x2xFLOAT"}, {"i", "3x4xi32", 0, 5}},
      "%y = tg.gather %x, %i {axis = 1, batch_dims = 1} : TYPES",
      "3x4x2xFLOAT");
  add("scatter_rows",
      {{"x", "6x5xFLOAT"},
       {"i", "4xi32", 0, 0, {1, 5, 1, 0}},
       {"u", "4x5xFLOAT"}},
      "%y = tg.scatter %x, %i, %u : TYPES", "6x5xFLOAT");
  add("scatter_set",
      {{"x", "6x5xFLOAT"},
       {"i", "4xi32", 0, 0, {1, 5, 1, 0}},
       {"u", "4x5xFLOAT"}},
      "%y = tg.scatter %x, %i, %u {combine = \"set\"} : TYPES", "6x5xFLOAT");
  add("scatter_set_batches",
      {{"x", "3x6x2xFLOAT"},
       {"i", "3x2?x2xi32", 0, 5},
       {"u", "3x2?x2x2xFLOAT"}},
      "%y = tg.scatter %x, %i, %u {axis = 1, batch_dims = 1, combine = "
      "\"set\"} : TYPES",
      "3x6x2xFLOAT");
  add("scatter_set_i1",
      {{"x", "6xi1", 0, 1}, {"i", "3?xi64", 0, 5}, {"u", "3?xi1", 0, 1}},
      "%y = tg.scatter %x, %i, %u {combine = \"set\"} : TYPES", "6xi1");
  add("scatter_columns",
      {{"x", "4?x6xFLOAT"}, {"i", "3xi64", 0, 5}, {"u", "4?x3xFLOAT"}},
      "%y = tg.scatter %x, %i, %u {axis = 1} : TYPES", "4?x6xFLOAT");
  add("scatter_narrow_rows",
      {{"x", "4x1xFLOAT"}, {"i", "3?x7xi32", 0, 3}, {"u", "3?x7x1xFLOAT"}},
      "%y = tg.scatter %x, %i, %u : TYPES", "4x1xFLOAT");
  add("scatter_batches",
      {{"x", "3x6xFLOAT"}, {"i", "3x4xi32", 0, 5}, {"u", "3x4xFLOAT"}},
      "%y = tg.scatter %x, %i, %u {axis = 1, batch_dims = 1} : TYPES",
      "3x6xFLOAT");
}

static void addSamples(Adder add) {
  RowTensor seed{"seed", "i64", 0, 0, {-123456789012}};
  RowTensor step{"step", "i64", 0, 0, {7}};
  for (std::string op : {"random_uniform", "random_normal"})
    for (std::string shape : {"3x5", "1023", "2x3x4"}) {
      std::string list = "[";
      for (char letter : shape)
        list += letter == 'x' ? std::string(", ") : std::string(1, letter);
      add(op + "_" + shape, {seed, step},
          "%y = tg." + op + " %seed, %step {element_type = FLOAT, shape = " +
              list + "], stream = 3} : TYPES",
          shape + "xFLOAT");
    }
  add("random_normal_truncated", {seed, step},
      "%y = tg.random_normal %seed, %step {element_type = FLOAT, shape = "
      "[400], stream = 1, truncated} : TYPES",
      "400xFLOAT");
}

void tg::test::addMovementRows(std::vector<OpRow> &rows) {
  Adder add{rows};
  addShapes(add);
  addFound(add);
  addBoxes(add);
  addIndices(add);
  addSamples(add);
}
