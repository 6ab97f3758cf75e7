//===- HostRows.cpp - rows of host calls, prints and asserts --------------===//
#include "test/numeric/OpRows.h"

using namespace tg::test;

/// A kernel of the user that squares the elements of a matrix. Blocks have 256
/// threads.
static constexpr const char *kSquare = R"(.version 7.0
.target sm_80
.address_size 64
.const .align 8 .u64 bytes_f32 = 4;
.const .align 8 .u64 bytes_f64 = 8;
.visible .entry square(
  .param .u64 x, .param .u64 y,
  .param .u64 rows, .param .u64 columns,
  .param .u64 resultRows, .param .u64 resultColumns)
{
  .reg .pred %p;
  .reg .b32 %thread, %block, %number;
  .reg .b64 %rows, %count, %place, %bytes, %from, %to;
  .reg .FLOAT %value;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %number, %block, 256, %thread;
  cvt.u64.u32 %place, %number;
  ld.param.u64 %rows, [rows];
  ld.param.u64 %count, [columns];
  mul.lo.u64 %count, %rows, %count;
  setp.ge.u64 %p, %place, %count;
  @%p bra done;
  ld.const.u64 %bytes, [bytes_FLOAT];
  mul.lo.u64 %place, %place, %bytes;
  ld.param.u64 %from, [x];
  add.u64 %from, %from, %place;
  ld.param.u64 %to, [y];
  add.u64 %to, %to, %place;
  ld.global.FLOAT %value, [%from];
  mul.rn.FLOAT %value, %value, %value;
  st.global.FLOAT [%to], %value;
done:
  ret;
}
)";

/// Returns a text without quotes as it stands in a string of the dialect.
static std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '\n' ? "\\n" : std::string(1, c);
  return result;
}

void tg::test::addHostRows(std::vector<OpRow> &rows) {
  RowTensor x{"x", "3?x4xFLOAT"}, y{"y", "3?x4xFLOAT"};
  rows.push_back({"host_call",
                  {x},
                  "%n = tg.dim %x {axis = 0} : (tensor<?x4xFLOAT>) -> "
                  "tensor<i64>\n"
                  "%e = tg.exp %x : tensor<?x4xFLOAT>\n"
                  "%h = tg.host_call \"square\"(%e) sizes(%n) : "
                  "(tensor<?x4xFLOAT>, tensor<i64>) -> tensor<?x4xFLOAT>\n"
                  "%y = tg.neg %h : tensor<?x4xFLOAT>",
                  {y},
                  "",
                  /*gradient=*/false});
  // The operation of a user, and its version for CPUs.
  rows.push_back({"cuda_call",
                  {x},
                  "%n = tg.dim %x {axis = 0} : (tensor<?x4xFLOAT>) -> "
                  "tensor<i64>\n"
                  "%e = tg.exp %x : tensor<?x4xFLOAT>\n"
                  "%h = tg.cuda_call \"square\"(%e) sizes(%n) kernel "
                  "<ptx = \"" +
                      escape(kSquare) +
                      "\"> : (tensor<?x4xFLOAT>, tensor<i64>) -> "
                      "tensor<?x4xFLOAT>\n"
                      "%y = tg.neg %h : tensor<?x4xFLOAT>",
                  {y},
                  "",
                  /*gradient=*/false});
  // Results are returned directly as outputs; one result is unused.
  rows.push_back({"host_call_twice",
                  {{"x", "2x3xi16"}},
                  "%y, %p = tg.host_call \"reverse_signs\"(%x) : "
                  "(tensor<2x3xi16>) -> (tensor<2x3xi16>, tensor<6xi1>)\n"
                  "%z, %q = tg.host_call \"reverse_signs\"(%y) {pure} : "
                  "(tensor<2x3xi16>) -> (tensor<2x3xi16>, tensor<6xi1>)",
                  {{"y", "2x3xi16"}, {"p", "6xi1"}, {"z", "2x3xi16"}},
                  "",
                  /*gradient=*/false});
  // A host function that writes nothing leaves zeros; booleans written by a
  // host function become 0 or 1.
  rows.push_back({"host_call_of_nothing",
                  {{"x", "5xi1"}},
                  "tg.host_call \"nothing\"() : () -> ()\n"
                  "%y = tg.host_call \"nothing\"(%x) : (tensor<5xi1>) -> "
                  "tensor<0x3xFLOAT>\n"
                  "%z = tg.host_call \"nothing\"(%x) : (tensor<5xi1>) -> "
                  "tensor<7xi64>",
                  {{"y", "0x3xFLOAT"}, {"z", "7xi64"}},
                  "",
                  /*gradient=*/false});
  rows.push_back({"print",
                  {x},
                  "%e = tg.exp %x : tensor<?x4xFLOAT>\n"
                  "tg.print \"e\", %e : tensor<?x4xFLOAT>\n"
                  "%y = tg.neg %e : tensor<?x4xFLOAT>",
                  {y}});
  rows.push_back({"assert",
                  {x},
                  "%s = tg.mul %x, %x : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>\n"
                  "%least = tg.reduce_min %s : (tensor<?x4xFLOAT>) -> "
                  "tensor<FLOAT>\n"
                  "%zero = tg.constant dense<0.0> : tensor<FLOAT>\n"
                  "%ok = tg.compare ge, %least, %zero : (tensor<FLOAT>, "
                  "tensor<FLOAT>) -> tensor<i1>\n"
                  "tg.assert %ok, \"squares are not negative\" : tensor<i1>\n"
                  "%y = tg.mul %s, %x : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>",
                  {y}});
  // The second gradient differentiates the ops of the first.
  rows.push_back({"custom_gradient",
                  {x},
                  "%c = tg.custom_gradient %x : (tensor<?x4xFLOAT>) -> "
                  "tensor<?x4xFLOAT> {\n"
                  "^bb0(%in: tensor<?x4xFLOAT>):\n"
                  "  %n = tg.dim %in {axis = 0} : (tensor<?x4xFLOAT>) -> "
                  "tensor<i64>\n"
                  "  %out = tg.host_call \"square\"(%in) sizes(%n) {pure} : "
                  "(tensor<?x4xFLOAT>, tensor<i64>) -> tensor<?x4xFLOAT>\n"
                  "  tg.yield %out : tensor<?x4xFLOAT>\n"
                  "} gradient {\n"
                  "^bb0(%in: tensor<?x4xFLOAT>, %out: tensor<?x4xFLOAT>, "
                  "%grad: tensor<?x4xFLOAT>):\n"
                  "  %double = tg.add %in, %in : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>\n"
                  "  %in_grad = tg.mul %double, %grad : (tensor<?x4xFLOAT>, "
                  "tensor<?x4xFLOAT>) -> tensor<?x4xFLOAT>\n"
                  "  tg.yield %in_grad : tensor<?x4xFLOAT>\n"
                  "}\n"
                  "%y = tg.exp %c : tensor<?x4xFLOAT>",
                  {y}});
  // The gradient is a host function that has a gradient itself.
  rows.push_back(
      {"custom_gradient_by_host",
       {{"x", "5xFLOAT"}},
       "%c, %p = tg.custom_gradient %x : (tensor<5xFLOAT>) -> "
       "(tensor<5xFLOAT>, tensor<5xi1>) {\n"
       "^bb0(%in: tensor<5xFLOAT>):\n"
       "  %out = tg.host_call \"square\"(%in) {pure} : (tensor<5xFLOAT>) -> "
       "tensor<5xFLOAT>\n"
       "  %r, %q = tg.host_call \"reverse_signs\"(%in) {pure} : "
       "(tensor<5xFLOAT>) -> (tensor<5xFLOAT>, tensor<5xi1>)\n"
       "  tg.yield %out, %q : tensor<5xFLOAT>, tensor<5xi1>\n"
       "} gradient {\n"
       "^bb0(%in: tensor<5xFLOAT>, %out: tensor<5xFLOAT>, %q: tensor<5xi1>, "
       "%grad: tensor<5xFLOAT>):\n"
       "  %in_grad = tg.custom_gradient %in, %grad : (tensor<5xFLOAT>, "
       "tensor<5xFLOAT>) -> tensor<5xFLOAT> {\n"
       "  ^bb0(%a: tensor<5xFLOAT>, %b: tensor<5xFLOAT>):\n"
       "    %r = tg.host_call \"square_grad\"(%a, %b) {pure} : "
       "(tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>\n"
       "    tg.yield %r : tensor<5xFLOAT>\n"
       "  } gradient {\n"
       "  ^bb0(%a: tensor<5xFLOAT>, %b: tensor<5xFLOAT>, %r: tensor<5xFLOAT>, "
       "%g: tensor<5xFLOAT>):\n"
       "    %ga = tg.host_call \"square_grad\"(%b, %g) {pure} : "
       "(tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>\n"
       "    %gb = tg.host_call \"square_grad\"(%a, %g) {pure} : "
       "(tensor<5xFLOAT>, tensor<5xFLOAT>) -> tensor<5xFLOAT>\n"
       "    tg.yield %ga, %gb : tensor<5xFLOAT>, tensor<5xFLOAT>\n"
       "  }\n"
       "  tg.yield %in_grad : tensor<5xFLOAT>\n"
       "}\n"
       "%y = tg.mul %c, %x : (tensor<5xFLOAT>, tensor<5xFLOAT>) -> "
       "tensor<5xFLOAT>",
       {{"y", "5xFLOAT"}, {"p", "5xi1"}}});
}
