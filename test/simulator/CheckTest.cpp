#include "test/simulator/ptx/Check.h"
#include "support/TableModule.h"
#include "test/simulator/ptx/Parser.h"
#include "test/simulator/ptx/Table.h"

#include <gtest/gtest.h>
#include <set>

using namespace tg;
using namespace tg::ptx;

namespace {

/// Returns "line: message" for each error of a module.
std::vector<std::string> checkModule(const std::string &text) {
  auto parsed = parseModule(text);
  if (const Error *error = std::get_if<Error>(&parsed))
    return {"syntax: " + error->message};
  std::vector<std::string> errors;
  for (const Error &error : findUnsupported(std::get<Module>(parsed)))
    errors.push_back(std::to_string(error.line) + ": " + error.message);
  return errors;
}

/// Returns the error of an instruction in a kernel, or "".
std::string check(const std::string &instruction,
                  const std::string &version = "7.0",
                  const std::string &target = "sm_80") {
  std::vector<std::string> errors = checkModule(
      ".version " + version + "\n.target " + target +
      "\n.global .b32 g;\n.shared .b32 s;\n"
      ".func f(.param .b32 a) { ret; }\n.entry k() {\n"
      ".reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .b64 %d<5>;\n"
      ".reg .f32 %f<3>; .reg .s32 %i<3>; .param .b64 wide; .param .align 8 "
      ".b32 far; .local .b32 l;\n" +
      instruction + "\nL: ret;\n}\n");
  if (errors.empty())
    return "";
  EXPECT_TRUE(errors[0].starts_with("9: ")) << errors[0];
  return errors[0].substr(3);
}

TEST(Check, TheWholeTableIsSupported) {
  EXPECT_EQ(checkModule(test::printTable()), std::vector<std::string>());
}

TEST(Check, CopiesAndMatrices) {
  EXPECT_EQ(check("cp.async.ca.shared.global [%d1], [%d2], 12;"),
            "expected a copy of 4, 8 or 16 bytes in "
            "'cp.async.ca.shared.global'");
  EXPECT_EQ(check("cp.async.cg.shared.global [%d1], [%d2], 8;"),
            "expected a copy of 16 bytes in 'cp.async.cg.shared.global'");
  EXPECT_EQ(check("cp.async.ca.shared.global [g], [%d2], 4;"),
            "variable 'g' lies in another space in "
            "'cp.async.ca.shared.global'");
  EXPECT_EQ(check("cp.async.ca.shared.global [s], [g];"),
            "expected 4 operands, found 2 in 'cp.async.ca.shared.global'");
  EXPECT_EQ(check("cp.async.wait_group %r1;"),
            "expected a number of groups below 1024 in 'cp.async.wait_group'");
  EXPECT_EQ(check("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [s];"),
            "expected 2 registers in braces, found 1 in "
            "'ldmatrix.sync.aligned.m8n8.x2.shared.b16'");
}

TEST(Check, RowsDiffer) {
  std::set<std::tuple<std::string_view, std::string_view, Type, Type>> seen;
  for (const Row &row : instructionTable())
    for (const Variant &variant : row.variants)
      EXPECT_TRUE(seen.emplace(row.mnemonic, row.modifiers, variant.type,
                               variant.source)
                      .second)
          << row.mnemonic << " " << row.modifiers;
}

TEST(Check, InexactArithmetic) {
  EXPECT_EQ(check("ex2.approx.f32 %f1, %f2;"),
            "expected exact arithmetic, found .approx in 'ex2.approx.f32'");
  EXPECT_EQ(check("div.full.f32 %f1, %f1, %f2;"),
            "expected exact arithmetic, found .full in 'div.full.f32'");
  EXPECT_EQ(check("add.rn.ftz.f32 %f1, %f1, %f2;"),
            "expected exact arithmetic, found .ftz in 'add.rn.ftz.f32'");
  EXPECT_EQ(check("add.f32 %f1, %f1, %f2;"),
            "expected .rn, without which operations may be contracted, found "
            "'add.f32'");
}

TEST(Check, UnknownInstructions) {
  EXPECT_EQ(check("shfl.sync.idx.b64 %d1, %d1, 0, 0, 0;"),
            "instruction 'shfl.sync.idx.b64' is not supported");
  EXPECT_EQ(check("add.s8 %h1, %h1, %h2;"),
            "instruction 'add.s8' is not supported");
  EXPECT_EQ(check("st.const.b32 [%d1], %r1;"),
            "instruction 'st.const.b32' is not supported");
}

TEST(Check, VersionsAndTargets) {
  EXPECT_EQ(check("max.NaN.f32 %f1, %f1, %f2;", "6.5"),
            "expected PTX 7.0 for 'max.NaN.f32', found 6.5");
  EXPECT_EQ(check("fence.sc.gpu;", "7.0", "sm_60"),
            "expected sm_70 for 'fence.sc.gpu', found sm_60");
}

TEST(Check, RegisterTypes) {
  EXPECT_EQ(check("add.rn.f32 %r1, %f1, 0f3F800000;"), "");
  EXPECT_EQ(check("add.s32 %i1, %r1, 5;"), "");
  EXPECT_EQ(check("add.s32 %f1, %r1, 5;"),
            "expected a register for .s32, found .f32 '%f1' in 'add.s32'");
  EXPECT_EQ(check("add.rn.f32 %i1, %f1, %f2;"),
            "expected a register for .f32, found .s32 '%i1' in 'add.rn.f32'");
  EXPECT_EQ(check("add.s32 %d1, %r1, 5;"),
            "expected a register for .s32, found .b64 '%d1' in 'add.s32'");
  EXPECT_EQ(check("add.s32 %r9, %r1, 5;"),
            "register '%r9' is not declared in 'add.s32'");
  EXPECT_EQ(check("add.s32 5, %r1, 5;"),
            "expected a register for .s32, found no register in 'add.s32'");
  EXPECT_EQ(check("add.s32 %r1, %r1, 0f3F800000;"),
            "expected a value of .s32, found a number of another kind in "
            "'add.s32'");
  EXPECT_EQ(check("add.s32 %r1, %r1;"),
            "expected 3 operands, found 2 in 'add.s32'");
  EXPECT_EQ(check("and.pred %p1, %p1, !%p2;"),
            "expected an operand without '!', found '%p2' in 'and.pred'");
}

TEST(Check, WiderRegisters) {
  EXPECT_EQ(check("cvt.s8.s32 %d1, %r1;"), "");
  EXPECT_EQ(check("ld.global.b8 %h1, [%d1];"), "");
  EXPECT_EQ(
      check("ld.global.b64 %r1, [%d1];"),
      "expected a register for .b64, found .b32 '%r1' in 'ld.global.b64'");
}

TEST(Check, Addresses) {
  EXPECT_EQ(check("ld.global.b32 %r1, [g+4];"), "");
  EXPECT_EQ(check("ld.b32 %r1, [g];"), "");
  EXPECT_EQ(check("ld.shared.b32 %r1, [g];"),
            "variable 'g' lies in another space in 'ld.shared.b32'");
  EXPECT_EQ(check("ld.b32 %r1, [s];"),
            "variable 's' lies in another space in 'ld.b32'");
  EXPECT_EQ(check("ld.global.b32 %r1, [x];"),
            "variable 'x' is not declared in 'ld.global.b32'");
  EXPECT_EQ(check("ld.global.b32 %r1, [%r1];"),
            "expected an address of 64 bits, found .b32 in 'ld.global.b32'");
  EXPECT_EQ(check("ld.global.b32 %r1, %d1;"),
            "expected an address in '[' and ']', found another operand in "
            "'ld.global.b32'");
}

TEST(Check, Vectors) {
  EXPECT_EQ(check("ld.global.v2.b32 {%r1, _}, [%d1];"), "");
  EXPECT_EQ(check("st.global.v2.b32 [%d1], {%r1, 0};"), "");
  EXPECT_EQ(check("ld.global.v2.b32 %r1, [%d1];"),
            "expected 2 elements, found 1 in 'ld.global.v2.b32'");
  EXPECT_EQ(check("ld.global.b32 {%r1, %r2}, [%d1];"),
            "expected 1 elements, found 2 in 'ld.global.b32'");
}

TEST(Check, Moves) {
  EXPECT_EQ(check("mov.b64 %d1, {%r1, %r2};"), "");
  EXPECT_EQ(check("mov.b64 {%h1, %h1, %h1, %h2}, %d1;"), "");
  EXPECT_EQ(check("mov.b64 %d1, l;"), "");
  EXPECT_EQ(check("mov.b64 %d1, {%h1, %h2};"),
            "expected a register for .u32, found .b16 '%h1' in 'mov.b64'");
  EXPECT_EQ(check("mov.b32 %r1, g;"),
            "expected a type of 64 bits for an address, found .b32 in "
            "'mov.b32'");
  EXPECT_EQ(check("mov.b64 %d1, %tid.x;"),
            "expected 8 bytes, found '%tid.x' in 'mov.b64'");
  EXPECT_EQ(check("mov.u32 %r1, %envreg3;"),
            "register '%envreg3' is not declared in 'mov.u32'");
}

TEST(Check, WarpInstructions) {
  EXPECT_EQ(check("shfl.sync.idx.b32 %r1, %r1, 0, 0, -1;"), "");
  EXPECT_EQ(check("shfl.sync.idx.b32 %r1|%p1, %r1, %r2, 31, %r3;"), "");
  EXPECT_EQ(check("shfl.sync.idx.b32 %r1|%r2, %r1, 0, 31, -1;"),
            "expected a register for .pred, found .b32 '%r2' in "
            "'shfl.sync.idx.b32'");
  EXPECT_EQ(check("shfl.sync.idx.b32 %r1|!%p1, %r1, 0, 31, -1;"),
            "expected an operand without '!', found '%p1' in "
            "'shfl.sync.idx.b32'");
  EXPECT_EQ(check("shfl.sync.idx.b32 %r1, %p1, %r1, 0, 31, -1;"),
            "expected 5 operands, found 6 in 'shfl.sync.idx.b32'");
  EXPECT_EQ(check("vote.sync.any.pred %p1, !%p2, %r1;"), "");
  EXPECT_EQ(check("bar.warp.sync %d1;"),
            "expected a register for .u32, found .b64 '%d1' in "
            "'bar.warp.sync'");
}

TEST(Check, ControlFlow) {
  EXPECT_EQ(check("bra L;"), "");
  EXPECT_EQ(check("bra M;"), "label 'M' is not defined in 'bra'");
  EXPECT_EQ(check("brx.idx %r1, L;"),
            "list of branch targets 'L' is not defined in 'brx.idx'");
  EXPECT_EQ(check("bar.sync 16;"),
            "expected a barrier below 16, found 16 in 'bar.sync'");
}

TEST(Check, Calls) {
  EXPECT_EQ(check("call.uni f;"),
            "expected 1 .param variables, found 0 in 'call.uni'");
  EXPECT_EQ(check("call.uni f, (wide);"),
            "expected 4 bytes in 'wide', found 8 in 'call.uni'");
  EXPECT_EQ(check("call.uni f, (far);"),
            "expected an alignment of 4 for 'far', found 8 in 'call.uni'");
  EXPECT_EQ(check("call.uni f, (%r1);"),
            "expected a .param variable, found '%r1' in 'call.uni'");
  EXPECT_EQ(check("call.uni h;"), "function 'h' is not defined in 'call.uni'");
  EXPECT_EQ(check("call.uni %d1;"),
            "expected a call of a function by its name, found another one in "
            "'call.uni'");
}

} // namespace
