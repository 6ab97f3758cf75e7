//===- WinogradTexts.cpp - kernels of Winograd convolutions as text -------===//
#include "test/compiler/codegen/cpu/winograd/WinogradTexts.h"

using namespace tg::test;

namespace {
/// A tensor type, and its extents if the first dimension is dynamic.
struct TypeText {
  std::string type, argument;
};
} // namespace

static TypeText typeOf(const Geometry &g, int64_t h, int64_t w, int64_t c) {
  std::string inner = std::to_string(h) + "x" + std::to_string(w) + "x" +
                      std::to_string(c) + "xf32>";
  if (!g.isOpen) {
    std::string type = "tensor<" + std::to_string(g.n) + "x" + inner;
    return {type, type};
  }
  std::string type = "tensor<?x" + inner;
  return {type, type + " [s0, " + std::to_string(h) + ", " + std::to_string(w) +
                    ", " + std::to_string(c) + "]"};
}

static std::string filterType(const Geometry &g) {
  return "tensor<3x3x" + std::to_string(g.c) + "x" + std::to_string(g.f) +
         "xf32>";
}

static std::string panelsType(const Geometry &g) {
  int64_t panels = (g.filterColumns() + g.width - 1) / g.width;
  int64_t products = (g.positions + 2) * (g.positions + 2);
  return "tensor<" + std::to_string(products) + "x" + std::to_string(panels) +
         "x" + std::to_string(g.filterRows()) + "x" + std::to_string(g.width) +
         "xf32>";
}

static std::string layoutOf(const Geometry &g) {
  return std::string("(#cpu.panels<axis = ") + (g.isAdjoint ? "2" : "3") +
         ", width = " + std::to_string(g.width) +
         ", winograd = " + std::to_string(g.positions) + ">)";
}

std::string tg::test::packText(const Geometry &g) {
  return "tgx.kernel @pack custom(%w: " + filterType(g) +
         ") {%p = tgx.pack %w as " + layoutOf(g) + " : (" + filterType(g) +
         ") -> " + panelsType(g) + " tgx.yield %p : " + panelsType(g) + "}";
}

std::string tg::test::convText(const Geometry &g, FilterForm form) {
  bool isPacked = form == FilterForm::packed;
  TypeText x = typeOf(g, g.h, g.w, g.c);
  TypeText y = typeOf(g, g.lines(), g.columns(), g.f);
  if (g.isAdjoint)
    std::swap(x, y);
  std::string bias = "tensor<" + std::to_string(g.filterColumns()) + "xf32>";
  std::string op = g.isAdjoint ? "tg.conv_transpose" : "tg.conv";
  std::string sizes = g.isAdjoint ? "output_sizes = [" + std::to_string(g.h) +
                                        ", " + std::to_string(g.w) + "], "
                                  : "";
  std::string pads = std::to_string(g.low) + ", " + std::to_string(g.high);
  std::string unpack = isPacked
                           ? "%w = tgx.unpack %p as " + layoutOf(g) + " : (" +
                                 panelsType(g) + ") -> " + filterType(g) + "\n"
                           : "";
  return "tgx.kernel @conv contraction" + std::string(g.isOpen ? "[s0]" : "") +
         "(%x: " + x.argument + ", " +
         (isPacked ? "%p: " + panelsType(g) : "%w: " + filterType(g)) +
         ", %b: " + bias + ", %r: " + y.argument + ") " +
         (form == FilterForm::transforms ? g.algorithm() : "") + "{\n" +
         unpack + "%0 = " + op + " %x, %w {" + sizes +
         "padding = \"explicit\", pads = [" + pads + ", " + pads + "]" +
         (form == FilterForm::plain ? "" : g.order("")) + "} : (" + x.type +
         ", " + filterType(g) + ") -> " + y.type + "\n%1 = tg.add %0, %b : (" +
         y.type + ", " + bias + ") -> " + y.type + "\n%2 = tg.add %1, %r : (" +
         y.type + ", " + y.type + ") -> " + y.type + "\n" +
         (g.reduces
              ? "%3 = tg.reduce_sum %2 {axes = [0, 1, 2]" +
                    (form == FilterForm::plain ? "" : g.rowOrder()) + "} : (" +
                    y.type + ") -> " + bias + "\n%4 = tg.add %3, %b : (" +
                    bias + ", " + bias + ") -> " + bias +
                    "\ntgx.yield %2, %4 : " + y.type + ", " + bias
              : "tgx.yield %0, %2 : " + y.type + ", " + y.type) +
         "\n}";
}

std::string tg::test::gradientText(const Geometry &g, bool isTransformed) {
  TypeText x = typeOf(g, g.h, g.w, g.c);
  TypeText y = typeOf(g, g.lines(), g.columns(), g.f);
  std::string pads = std::to_string(g.low) + ", " + std::to_string(g.high);
  std::string w = filterType(g);
  return "tgx.kernel @gradient contraction" +
         std::string(g.isOpen ? "[s0]" : "") + "(%x: " + x.argument +
         ", %y: " + y.argument + ", %w: " + w + ") " +
         (isTransformed ? g.algorithm() : "") +
         "{\n%0 = tg.conv_filter_grad %x, %y {filter_sizes = [3, 3], padding = "
         "\"explicit\", pads = [" +
         pads + ", " + pads + "]" + (isTransformed ? g.order("512, 16") : "") +
         "} : (" + x.type + ", " + y.type + ") -> " + w +
         "\n%1 = tg.add %w, %0 : (" + w + ", " + w + ") -> " + w +
         "\ntgx.yield %0, %1 : " + w + ", " + w + "\n}";
}
