//===- ContractionRows.cpp - rows of matmul -------------------------------===//
#include "test/numeric/OpRows.h"

using namespace tg;
using namespace tg::test;

void tg::test::addContractionRows(std::vector<OpRow> &rows) {
  auto add = [&](std::string name, std::string flags, std::string a,
                 std::string b, std::string y, bool gradient = true) {
    OpRow row{"matmul_" + name,
              {{"a", a}, {"b", b}},
              "%y = tg.matmul %a, %b " + flags + " : TYPES",
              {{"y", y}}};
    row.gradient = gradient;
    row.tolerance = 2e-5;
    rows.push_back(row);
  };
  add("plain", "", "3x4xFLOAT", "4x5xFLOAT", "3x5xFLOAT");
  add("transpose_lhs", "{transpose_lhs}", "4x3xFLOAT", "4x5xFLOAT",
      "3x5xFLOAT");
  add("transpose_rhs", "{transpose_rhs}", "3?x4xFLOAT", "5x4xFLOAT",
      "3?x5xFLOAT");
  add("transpose_both", "{transpose_lhs, transpose_rhs}", "4x3xFLOAT",
      "5x4xFLOAT", "3x5xFLOAT");
  add("unknown", "", "3?x4xFLOAT", "4x5xFLOAT", "3?x5xFLOAT");
  add("unknown_k", "{transpose_lhs}", "6?x3xFLOAT", "6?x5xFLOAT", "3x5xFLOAT");
  add("batch", "", "2x3x4xFLOAT", "2x4x2xFLOAT", "2x3x2xFLOAT");
  add("batch_of_rows", "", "2?x3x4xFLOAT", "4x5xFLOAT", "2?x3x5xFLOAT");
  add("batch_transposed", "{transpose_lhs, transpose_rhs}", "2x4x3xFLOAT",
      "2x4xFLOAT", "2x3x2xFLOAT");
  add("batch_broadcast", "", "2x1x3x4xFLOAT", "3x4x2xFLOAT", "2x3x3x2xFLOAT");
  add("batch_unknown", "", "3?x5x4xFLOAT", "3?x4x2xFLOAT", "3?x5x2xFLOAT");
  add("batch_one_lhs", "", "5x4xFLOAT", "3?x4x2xFLOAT", "3?x5x2xFLOAT");
  add("batch_both_broadcast", "{transpose_rhs}", "2x1x5x4xFLOAT",
      "3?x6x4xFLOAT", "2x3?x5x6xFLOAT");
  add("batch_flags", "{transpose_lhs, transpose_rhs}", "2?x4x3xFLOAT",
      "2?x5x4xFLOAT", "2?x3x5xFLOAT");
  add("batch_of_single_rows", "", "3x2x1x4xFLOAT", "2x4x5xFLOAT",
      "3x2x1x5xFLOAT");
  add("batch_of_small", "", "64x16x16xFLOAT", "64x16x16xFLOAT",
      "64x16x16xFLOAT", false);
  add("batch_of_tiles", "", "3?x37x300xFLOAT", "3?x300x67xFLOAT",
      "3?x37x67xFLOAT", false);
  add("batch_of_tiles_transposed", "{transpose_lhs}", "2x1x65x37xFLOAT",
      "2x3?x65x67xFLOAT", "2x3?x37x67xFLOAT", false);
  add("batch_of_wide_rows", "{transpose_rhs}", "7?x13x65xFLOAT", "67x65xFLOAT",
      "7?x13x67xFLOAT", false);
  add("one_row", "", "1x4xFLOAT", "4x5xFLOAT", "1x5xFLOAT");
  add("one_column", "", "3x4xFLOAT", "4x1xFLOAT", "3x1xFLOAT");
  add("tiles", "", "37x65xFLOAT", "65x67xFLOAT", "37x67xFLOAT", false);
  add("tiles_unknown", "", "37?x130xFLOAT", "130x100xFLOAT", "37?x100xFLOAT",
      false);
  add("tiles_transposed", "{transpose_lhs}", "65x37xFLOAT", "65x67xFLOAT",
      "37x67xFLOAT", false);
  add("tiles_rhs_transposed", "{transpose_rhs}", "37x65xFLOAT", "67x65xFLOAT",
      "37x67xFLOAT", false);
  add("long_row", "", "1?x784xFLOAT", "784x100xFLOAT", "1?x100xFLOAT", false);
  // Several row bands that share the packed rhs, and a rhs of one panel.
  add("bands", "", "500?x300xFLOAT", "300x150xFLOAT", "500?x150xFLOAT", false);
  rows.back().tolerance = 2e-4;
  add("bands_rhs_transposed", "{transpose_rhs}", "431x70xFLOAT", "200x70xFLOAT",
      "431x200xFLOAT", false);
  add("one_panel", "{transpose_lhs}", "270x101xFLOAT", "270x64xFLOAT",
      "101x64xFLOAT", false);
  rows.back().tolerance = 2e-4;
  // Several blocks of K, and groups of blocks.
  auto addBlocks = [&](std::string name, std::string attributes, std::string a,
                       std::string b, std::string y) {
    add(name, attributes, a, b, y, false);
    rows.back().tolerance = 2e-4;
  };
  addBlocks("blocks", "", "37x1300xFLOAT", "1300x40xFLOAT", "37x40xFLOAT");
  addBlocks("groups_of_blocks", "{tg.order = #tg.order<blocks = [32, 3]>}",
            "37?x250xFLOAT", "250x40xFLOAT", "37?x40xFLOAT");
  // Split-K products in blocks, and in groups of blocks: units of one block,
  // and units of one group.
  addBlocks("split_k", "{transpose_lhs}", "1500x8xFLOAT", "1500x48xFLOAT",
            "8x48xFLOAT");
  for (auto [name, blocks] :
       {std::pair("split_k_blocks", "160, 3"), {"split_k_groups", "32, 3"}})
    addBlocks(name,
              "{transpose_lhs, tg.order = #tg.order<blocks = [" +
                  std::string(blocks) + "]>}",
              "1500x8xFLOAT", "1500x48xFLOAT", "8x48xFLOAT");
  // Products so small that the sum of each block is -0.
  rows.push_back(
      {"matmul_tiny_blocks",
       {{"a", "3x40xf32", 1e-30, 2e-30}, {"b", "40x17xf32", -2e-30, -1e-30}},
       "%y = tg.matmul %a, %b {tg.order = #tg.order<blocks = [8, "
       "2]>} : TYPES",
       {{"y", "3x17xf32"}},
       "",
       /*gradient=*/false});
  OpRow sums{"matmul_bands_sums",
             {{"a", "431?x70xFLOAT"}, {"b", "70x150xFLOAT"}},
             "%y = tg.matmul %a, %b : (tensor<?x70xFLOAT>, "
             "tensor<70x150xFLOAT>) -> tensor<?x150xFLOAT>\n"
             "%s = tg.reduce_sum %y {axes = [0]} : (tensor<?x150xFLOAT>) -> "
             "tensor<150xFLOAT>",
             {{"y", "431?x150xFLOAT"}, {"s", "150xFLOAT"}}};
  sums.gradient = false;
  sums.tolerance = 2e-4;
  rows.push_back(sums);
  add("no_k", "", "3x0xFLOAT", "0x5xFLOAT", "3x5xFLOAT", false);
  for (const ElementTypeInfo &row : kElementTypes) {
    if (row.rounding != TG_ROUNDING_WRAPS)
      continue;
    std::string type = row.name;
    std::string sum = typeInfoOf(row.product).name;
    std::vector<double> edges = edgesOf(type);
    rows.push_back(
        {"matmul_" + type,
         {{"a", "3x4x" + type, 0, 0, edges}, {"b", "4x5x" + type, 0, 0, edges}},
         "%y = tg.matmul %a, %b : TYPES",
         {{"y", "3x5x" + sum}}});
    rows.push_back({"matmul_transposed_" + type,
                    {{"a", "3?x40x" + type, 0, 0, edges},
                     {"b", "9x40x" + type, 0, 0, edges}},
                    "%y = tg.matmul %a, %b {transpose_rhs} : TYPES",
                    {{"y", "3?x9x" + sum}}});
  }
}
