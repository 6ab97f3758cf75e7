//===- ConvolutionRows.cpp - rows of convolutions and their adjoints ------===//
#include "test/numeric/OpRows.h"
#include "llvm/ADT/StringExtras.h"

using namespace tg;
using namespace tg::test;

namespace {
/// The three tensors of a convolution. Any two of them determine the third.
struct Geometry {
  std::string name, attributes, x, w, y;
  bool gradient = true;
  double tolerance = 6e-5;
};

/// The tolerance of Winograd convolutions: all sums of a tile share the
/// rounding error of its largest transformed elements, which are about 100.
constexpr double kTransformedTolerance = 1e-3;
} // namespace

/// Returns "{attributes}", or nothing if there are none.
static std::string dictionary(const std::string &own,
                              const std::string &shared) {
  std::string both = own + (own.empty() || shared.empty() ? "" : ", ") + shared;
  return both.empty() ? "" : "{" + both + "} ";
}

/// Returns the dimensions of the tensor as text, without the given numbers of
/// leading and trailing dimensions.
static std::vector<std::string> sizesOf(const RowTensor &tensor, unsigned first,
                                        unsigned last) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(tensor.type).split(parts, 'x');
  std::vector<std::string> sizes;
  for (llvm::StringRef part :
       llvm::ArrayRef(parts).drop_front(first).drop_back(last + 1))
    sizes.push_back(part.str());
  return sizes;
}

/// Returns a row of conv_transpose. A further input gives the dynamic sizes.
static OpRow transposedRow(const Geometry &geometry) {
  RowTensor x{"x", geometry.x}, w{"w", geometry.w}, y{"y", geometry.y};
  RowTensor like{"like", x.type.substr(0, x.type.size() - 5) + "i32"};
  OpRow row{"conv_transpose_" + geometry.name, {y, w, like}, "", {x}};
  std::string operands = "%y, %w";
  std::string types = y.getType("FLOAT") + ", " + w.getType("FLOAT");
  std::string sizes;
  for (const std::string &size : sizesOf(x, /*first=*/1, /*last=*/1)) {
    bool isOpen = size.back() == '?';
    sizes += (sizes.empty() ? "" : ", ") + (isOpen ? "-1" : size);
    if (!isOpen)
      continue;
    std::string axis = std::to_string(llvm::StringRef(sizes).count(',') + 1);
    row.body += "%n" + axis + " = tg.dim %like {axis = " + axis + "} : (" +
                like.getType("") + ") -> tensor<i64>\n";
    operands += ", %n" + axis;
    types += ", tensor<i64>";
  }
  row.body +=
      "%x = tg.conv_transpose " + operands + " " +
      dictionary("output_sizes = [" + sizes + "]", geometry.attributes) +
      ": (" + types + ") -> TYPE";
  return row;
}

static void addRows(const Geometry &geometry, std::vector<OpRow> &rows) {
  RowTensor x{"x", geometry.x}, w{"w", geometry.w}, y{"y", geometry.y};
  std::string taps = llvm::join(sizesOf(w, /*first=*/0, /*last=*/2), ", ");
  OpRow conv{"conv_" + geometry.name,
             {x, w},
             "%y = tg.conv %x, %w " + dictionary("", geometry.attributes) +
                 ": TYPES",
             {y}};
  OpRow filterGrad{
      "conv_filter_grad_" + geometry.name,
      {x, y},
      "%w = tg.conv_filter_grad %x, %y " +
          dictionary("filter_sizes = [" + taps + "]", geometry.attributes) +
          ": TYPES",
      {w}};
  for (OpRow row : {conv, transposedRow(geometry), filterGrad}) {
    row.gradient = geometry.gradient;
    row.tolerance = geometry.tolerance;
    rows.push_back(row);
  }
}

/// Sets the element type of all floats of a row to f32.
static OpRow ofF32(OpRow row) {
  auto replace = [](std::string &text) {
    const std::string name = "FLOAT";
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), "f32");
  };
  replace(row.body);
  for (RowTensor &input : row.inputs)
    replace(input.type);
  for (RowTensor &output : row.outputs)
    replace(output.type);
  return row;
}

/// Returns the attribute of an order.
static std::string orderOf(const std::string &parameters) {
  return "tg.order = #tg.order<" + parameters + ">";
}

/// Appends the row of a filter's gradient whose sum has small blocks.
static void addBlockedGradient(Geometry geometry, const std::string &parameters,
                               std::vector<OpRow> &rows) {
  geometry.name += "_in_blocks";
  geometry.attributes += geometry.attributes.empty() ? "" : ", ";
  geometry.attributes += orderOf("blocks = [3, 2]" + parameters);
  std::vector<OpRow> all;
  addRows(geometry, all);
  rows.push_back(all.back());
}

/// Appends rows with orders of Winograd tiles, which are f32. Stated orders
/// need no minimum of channels.
static void addTiledRows(std::vector<OpRow> &rows) {
  const std::string same = "padding = \"same\"";
  const std::string pads = "padding = \"explicit\", pads = [0, 2, 1, 3]";
  for (std::string positions : {"4", "2"}) {
    const std::string name = "tiled_by_" + positions;
    const double tolerance = kTransformedTolerance;
    const Geometry geometries[] = {
        {name, same, "2?x9x7x5xFLOAT", "3x3x5x19xFLOAT", "2?x9x7x19xFLOAT",
         false, tolerance},
        {name + "_valid", "", "2x6x11x17xFLOAT", "3x3x17x4xFLOAT",
         "2x4x9x4xFLOAT", false, tolerance},
        {name + "_of_point", same, "3x1x1x2xFLOAT", "3x3x2x3xFLOAT",
         "3x1x1x3xFLOAT", false, tolerance},
        {name + "_unknown", pads, "1x7?x5?x33xFLOAT", "3x3x33x7xFLOAT",
         "1x7?x7?x7xFLOAT", false, tolerance},
        {name + "_no_images", same, "0?x5x5x3xFLOAT", "3x3x3x2xFLOAT",
         "0?x5x5x2xFLOAT", false, tolerance},
    };
    const std::string winograd = "winograd = " + positions;
    std::vector<OpRow> tiled;
    for (Geometry geometry : geometries) {
      addBlockedGradient(geometry, ", " + winograd, tiled);
      geometry.attributes += geometry.attributes.empty() ? "" : ", ";
      geometry.attributes += orderOf(winograd);
      addRows(geometry, tiled);
    }
    llvm::append_range(rows, llvm::map_range(tiled, ofF32));
  }
}

/// Appends rows that reduce the gradient of an input with strides: neighbouring
/// positions of a line have different taps.
static void addReducedPhases(std::vector<OpRow> &rows) {
  for (const std::string batch : {"5", "5?"}) {
    const std::string ends = "x15x23x35xFLOAT";
    OpRow phases{batch == "5" ? "reduce_sum_of_phases"
                              : "reduce_sum_of_phases_unknown",
                 {{"g", batch + "x8x12x35xFLOAT"},
                  {"w", "3x3x1x35xFLOAT"},
                  {"x", batch + ends}},
                 "",
                 {{"y", batch + ends}, {"s", "35xFLOAT"}}};
    const std::string y = phases.outputs[0].getType("FLOAT");
    phases.body =
        "%c = tg.conv_transpose %g, %w {groups = 35 : i64, output_sizes = [15, "
        "23], padding = \"same\", strides = [2, 2]} : (" +
        phases.inputs[0].getType("FLOAT") + ", tensor<3x3x1x35xFLOAT>) -> " +
        y + "\n%y = tg.mul %c, %x : (" + y + ", " + y + ") -> " + y +
        "\n%s = tg.reduce_sum %y {axes = [0, 1, 2]} : (" + y +
        ") -> tensor<35xFLOAT>";
    phases.gradient = false;
    phases.tolerance = 2e-4;
    rows.push_back(phases);
  }
}

void tg::test::addConvolutionRows(std::vector<OpRow> &rows) {
  const std::string same = "padding = \"same\"";
  const std::string by2 = "strides = [2, 2]";
  const Geometry geometries[] = {
      // 1-D.
      {"1d", "", "2x7x3xFLOAT", "3x3x4xFLOAT", "2x5x4xFLOAT"},
      {"1d_even", same, "2x6x2xFLOAT", "4x2x3xFLOAT", "2x6x3xFLOAT"},
      {"1d_gaps", "strides = [4]", "2x11x2xFLOAT", "2x2x3xFLOAT",
       "2x3x3xFLOAT"},
      {"1d_unknown", same + ", strides = [2]", "2?x7?x2xFLOAT", "3x2x3xFLOAT",
       "2?x4?x3xFLOAT"},
      // 2-D.
      {"valid", "", "2x6x5x2xFLOAT", "3x2x2x3xFLOAT", "2x4x4x3xFLOAT"},
      {"same", same, "2x5x4x2xFLOAT", "3x3x2x4xFLOAT", "2x5x4x4xFLOAT"},
      {"same_even", same, "1x5x4x2xFLOAT", "2x4x2x2xFLOAT", "1x5x4x2xFLOAT"},
      {"same_strides", same + ", " + by2, "1x7x6x2xFLOAT", "3x3x2x3xFLOAT",
       "1x4x3x3xFLOAT"},
      {"explicit",
       "padding = \"explicit\", pads = [1, 2, 0, 3], strides = [2, "
       "1]",
       "1x5x4x2xFLOAT", "3x3x2x2xFLOAT", "1x3x5x2xFLOAT"},
      {"dilations", "dilations = [2, 3]", "1x7x6x2xFLOAT", "3x2x2x2xFLOAT",
       "1x3x3x2xFLOAT"},
      {"same_dilations", "dilations = [2, 2], " + same + ", " + by2,
       "1x7x7x2xFLOAT", "3x3x2x2xFLOAT", "1x4x4x2xFLOAT"},
      // Strides and dilations so large that nothing is copied.
      {"dilations_far", same + ", dilations = [200, 1000000000]",
       "1x3x4x2xFLOAT", "3x2x2x3xFLOAT", "1x3x4x3xFLOAT"},
      {"strides_far",
       "padding = \"explicit\", pads = [0, 5000, 0, 0], strides = [5000, 1]",
       "1x3x4x2xFLOAT", "2x2x2x3xFLOAT", "1x2x3x3xFLOAT"},
      {"strides_huge", same + ", strides = [4611686018427387904, 2]",
       "1x3x4x2xFLOAT", "3x2x2x3xFLOAT", "1x1x2x3xFLOAT"},
      {"groups_far",
       "dilations = [1, 1000000000], groups = 2 : i64, " + same +
           ", strides = [1000000000, 1]",
       "1x3x4x4xFLOAT", "3x3x2x4xFLOAT", "1x1x4x4xFLOAT"},
      {"groups", "groups = 2 : i64", "1x4x4x6xFLOAT", "2x2x3x4xFLOAT",
       "1x3x3x4xFLOAT"},
      {"depthwise", "groups = 3 : i64, " + same, "2x4x4x3xFLOAT",
       "3x3x1x6xFLOAT", "2x4x4x6xFLOAT"},
      {"pointwise", same, "2x3x2x4xFLOAT", "1x1x4x5xFLOAT", "2x3x2x5xFLOAT"},
      {"pointwise_unknown", "", "2?x3?x2x4xFLOAT", "1x1x4x5xFLOAT",
       "2?x3?x2x5xFLOAT"},
      {"pointwise_strides", same + ", " + by2, "2x5x4x3xFLOAT", "1x1x3x2xFLOAT",
       "2x3x2x2xFLOAT"},
      {"pointwise_thirds", "strides = [3, 2]", "2?x7x6x17xFLOAT",
       "1x1x17x33xFLOAT", "2?x3x3x33xFLOAT", false},
      {"pointwise_pads", "padding = \"explicit\", pads = [1, 0, 0, 1]",
       "1x2x3x2xFLOAT", "1x1x2x3xFLOAT", "1x3x4x3xFLOAT"},
      {"unknown_batch", same, "2?x5x4x2xFLOAT", "3x3x2x3xFLOAT",
       "2?x5x4x3xFLOAT"},
      {"unknown_valid", by2, "2?x7?x6?x2xFLOAT", "3x2x2x3xFLOAT",
       "2?x3?x3?x3xFLOAT"},
      {"unknown_same", same, "2?x5?x4?x2xFLOAT", "3x2x2x3xFLOAT",
       "2?x5?x4?x3xFLOAT"},
      {"unknown_same_strides", same + ", " + by2, "1?x5?x6?x2xFLOAT",
       "3x3x2x2xFLOAT", "1?x3?x3?x2xFLOAT"},
      {"unknown_explicit",
       "dilations = [2, 1], padding = \"explicit\", pads = "
       "[1, 2, 0, 3]",
       "1?x4?x3?x2xFLOAT", "3x3x2x2xFLOAT", "1?x3?x4?x2xFLOAT"},
      {"only_pads", "padding = \"explicit\", pads = [2, 2, 0, 0]",
       "1x0x3x2xFLOAT", "3x2x2x2xFLOAT", "1x2x2x2xFLOAT", false},
      {"no_channels", "", "1x3x3x0xFLOAT", "2x2x0x2xFLOAT", "1x2x2x2xFLOAT",
       false},
      {"vectors", same, "2x9x10x17xFLOAT", "3x3x17x33xFLOAT", "2x9x10x33xFLOAT",
       false},
      // Sums in several blocks of K, which continue one chain.
      {"long_sums", "", "2x3x6x200xFLOAT", "2x2x200x18xFLOAT", "2x2x5x18xFLOAT",
       false, 2e-4},
      {"many_positions", same, "5x13x14x20xFLOAT", "2x2x20x18xFLOAT",
       "5x13x14x18xFLOAT", false, 2e-4},
      // Winograd tiles, also with channels that do not fill whole vectors.
      {"tiles", same, "3x15x13x32xFLOAT", "3x3x32x48xFLOAT", "3x15x13x48xFLOAT",
       false, kTransformedTolerance},
      {"tiles_valid", "", "2?x18x16x48xFLOAT", "3x3x48x32xFLOAT",
       "2?x16x14x32xFLOAT", false, kTransformedTolerance},
      {"tiles_of_two", same, "64?x2x2x64xFLOAT", "3x3x64x80xFLOAT",
       "64?x2x2x80xFLOAT", false, kTransformedTolerance},
      {"tiles_of_rest", same, "3x15x13x33xFLOAT", "3x3x33x40xFLOAT",
       "3x15x13x40xFLOAT", false, kTransformedTolerance},
      // Filters that the gradient of the input packs.
      {"packed", same, "8x7x8x24xFLOAT", "3x3x24x20xFLOAT", "8x7x8x20xFLOAT",
       false},
      {"packed_strides", "dilations = [1, 3], " + same + ", " + by2,
       "2?x9x8x70xFLOAT", "3x3x70x10xFLOAT", "2?x5x4x10xFLOAT", false},
      {"many_groups", "groups = 24 : i64, " + same + ", " + by2,
       "1x9x8x24xFLOAT", "3x3x1x24xFLOAT", "1x5x4x24xFLOAT", false},
      // Depthwise: one channel a group, adjacent channels in the lanes of a
      // vector.
      {"depthwise_short", "groups = 5 : i64, " + same, "2x4x3x5xFLOAT",
       "3x3x1x5xFLOAT", "2x4x3x5xFLOAT"},
      {"depthwise_1d", "dilations = [2], groups = 33 : i64, " + same,
       "2x19x33xFLOAT", "5x1x33xFLOAT", "2x19x33xFLOAT", false},
      {"depthwise_lines", "groups = 24 : i64, " + same, "2x7x45x24xFLOAT",
       "3x3x1x24xFLOAT", "2x7x45x24xFLOAT", false},
      {"depthwise_valid", "groups = 33 : i64, " + by2, "2x9x37x33xFLOAT",
       "5x5x1x33xFLOAT", "2x3x17x33xFLOAT", false},
      {"depthwise_dilated", "dilations = [2, 3], groups = 17 : i64, " + same,
       "1x8x40x17xFLOAT", "3x3x1x17xFLOAT", "1x8x40x17xFLOAT", false},
      {"depthwise_thirds",
       "dilations = [1, 2], groups = 16 : i64, padding = \"explicit\", "
       "pads = [2, 1, 0, 3], strides = [3, 3]",
       "1x8x31x16xFLOAT", "2x2x1x16xFLOAT", "1x4x11x16xFLOAT", false},
      {"depthwise_unknown", "groups = 18 : i64, " + same + ", " + by2,
       "2?x9?x35?x18xFLOAT", "3x3x1x18xFLOAT", "2?x5?x18?x18xFLOAT", false},
      {"depthwise_unknown_batch", "groups = 40 : i64, " + same,
       "3?x6x20x40xFLOAT", "3x3x1x40xFLOAT", "3?x6x20x40xFLOAT", false},
      {"depthwise_3d", "groups = 9 : i64, " + same + ", strides = [1, 2, 1]",
       "1x3x5x17x9xFLOAT", "2x3x3x1x9xFLOAT", "1x3x3x17x9xFLOAT", false},
      // Several channels a group: vectors with lanes of several groups or of
      // one.
      {"groups_of_4", "groups = 9 : i64, " + same + ", " + by2,
       "1x5x17x36xFLOAT", "3x3x4x36xFLOAT", "1x3x9x36xFLOAT", false},
      {"groups_doubled", "groups = 19 : i64, " + same, "1x4x18x19xFLOAT",
       "3x3x1x38xFLOAT", "1x4x18x38xFLOAT", false},
      {"groups_halved", "groups = 19 : i64, " + same, "1x4x18x38xFLOAT",
       "3x3x2x19xFLOAT", "1x4x18x19xFLOAT", false},
      // Gradients of filters with parts of blocks of lines.
      {"depthwise_visits", "groups = 19 : i64, " + same, "2x34x9x19xFLOAT",
       "3x3x1x19xFLOAT", "2x34x9x19xFLOAT", false},
      {"groups_visits", "groups = 19 : i64, " + same, "3?x25x17x38xFLOAT",
       "3x3x2x38xFLOAT", "3?x25x17x38xFLOAT", false},
      {"groups_of_3", "groups = 6 : i64, " + same, "1x4x5x6xFLOAT",
       "3x2x1x18xFLOAT", "1x4x5x18xFLOAT", false},
      {"groups_of_20", "groups = 2 : i64", "1x5x19x34xFLOAT", "3x3x17x40xFLOAT",
       "1x3x17x40xFLOAT", false},
      // Few-channel convolutions: lanes hold positions of a line, or the
      // channels of the other side.
      {"to_one", same, "2x5x37x1xFLOAT", "3x3x1x1xFLOAT", "2x5x37x1xFLOAT",
       false},
      {"to_three", same, "2?x6x45x3xFLOAT", "5x3x3x3xFLOAT", "2?x6x45x3xFLOAT",
       false},
      {"many_to_one", "", "1x9?x35x18xFLOAT", "3x3x18x1xFLOAT",
       "1x7?x33x1xFLOAT", false},
      {"many_to_two", same + ", dilations = [2, 3]", "1x7x40x33xFLOAT",
       "3x3x33x2xFLOAT", "1x7x40x2xFLOAT", false},
      {"few_strides", same + ", " + by2, "2x9x66x3xFLOAT", "4x4x3x5xFLOAT",
       "2x5x33x5xFLOAT", false},
      {"few_thirds", "strides = [3, 3]", "1x8x92x2xFLOAT", "2x2x2x17xFLOAT",
       "1x3x31x17xFLOAT", false},
      {"few_1d", "padding = \"explicit\", pads = [3, 1]", "3x70x2xFLOAT",
       "5x2x4xFLOAT", "3x70x4xFLOAT", false},
      {"few_3d", same, "1x3x4x34x2xFLOAT", "3x2x3x2x1xFLOAT",
       "1x3x4x34x1xFLOAT", false},
      {"many_to_few_3d", same, "2x2x3x33x20xFLOAT", "3x3x3x20x3xFLOAT",
       "2x2x3x33x3xFLOAT", false},
      // 3-D.
      {"3d", same + ", strides = [1, 2, 1]", "1x2x3x3x2xFLOAT",
       "2x3x2x2x2xFLOAT", "1x2x2x3x2xFLOAT"},
      {"3d_unknown", "", "1?x3?x3?x2?x2xFLOAT", "2x2x1x2x2xFLOAT",
       "1?x2?x2?x2?x2xFLOAT"},
  };
  for (const Geometry &geometry : geometries)
    addRows(geometry, rows);
  addTiledRows(rows);
  addReducedPhases(rows);
  const std::string groupsOf19 = "groups = 19 : i64, " + same;
  addBlockedGradient({"depthwise", groupsOf19, "3?x7x5x19xFLOAT",
                      "3x3x1x19xFLOAT", "3?x7x5x19xFLOAT", false},
                     "", rows);
  addBlockedGradient({"depthwise_known", groupsOf19, "3x7x5x19xFLOAT",
                      "3x3x1x19xFLOAT", "3x7x5x19xFLOAT", false},
                     "", rows);
  addBlockedGradient({"groups_of_2", groupsOf19, "1x5x6x38xFLOAT",
                      "3x2x2x38xFLOAT", "1x5x6x38xFLOAT", false},
                     "", rows);
  // Fused consumers with several outputs.
  for (const char *channels : {"1", "3"}) {
    std::string c = channels;
    OpRow row{"conv_to_" + c + "_and_more",
              {{"x", "2x4x39x6xFLOAT"},
               {"w", "3x3x6x" + c + "xFLOAT"},
               {"b", c + "xFLOAT"},
               {"r", "2x4x39x" + c + "xFLOAT"}},
              "",
              {{"y", "2x4x39x" + c + "xFLOAT"}, {"m", "2x4x39x" + c + "xi1"}}};
    const std::string x = row.inputs[0].getType("FLOAT");
    const std::string w = row.inputs[1].getType("FLOAT");
    const std::string b = row.inputs[2].getType("FLOAT");
    const std::string y = row.outputs[0].getType("FLOAT");
    row.body = "%p = tg.conv %x, %w {" + same + "} : (" + x + ", " + w +
               ") -> " + y + "\n%s = tg.add %p, %b : (" + y + ", " + b +
               ") -> " + y + "\n%t = tg.relu %s : " + y +
               "\n%y = tg.add %t, %r : (" + y + ", " + y + ") -> " + y +
               "\n%m = tg.compare gt, %y, %b : (" + y + ", " + b + ") -> " +
               row.outputs[1].getType("FLOAT");
    row.gradient = false;
    row.tolerance = 6e-5;
    rows.push_back(row);
  }
}
