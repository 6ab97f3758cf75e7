#include "test/simulator/ptx/Parser.h"
#include "support/TableModule.h"

#include <gtest/gtest.h>

using namespace tg;
using namespace tg::ptx;

namespace {

constexpr const char *head = ".version 7.0\n.target sm_80\n";

/// Returns "line: message" for a text, or "".
std::string parse(const std::string &text) {
  auto parsed = parseModule(text);
  if (const Error *error = std::get_if<Error>(&parsed))
    return std::to_string(error->line) + ": " + error->message;
  return "";
}

/// The same for the body of a kernel, whose first line is line 4.
std::string parseBody(const std::string &body) {
  return parse(std::string(head) + ".entry k() {\n" + body + "\n}\n");
}

/// Returns the module of a text without errors.
Module moduleOf(const std::string &text) {
  auto parsed = parseModule(text);
  EXPECT_TRUE(std::holds_alternative<Module>(parsed)) << parse(text);
  return std::get<Module>(std::move(parsed));
}

TEST(Parser, VersionAndTarget) {
  Module module = moduleOf(".version 7.1\n.target sm_90a, debug\n");
  EXPECT_EQ(module.version, 71u);
  EXPECT_EQ(module.target, 90u);
  EXPECT_EQ(parse(""), "1: expected '.version', found 'the end of the text'");
  EXPECT_EQ(parse(".version 7\n.target sm_80"),
            "1: expected a version such as 7.0, found '7'");
  EXPECT_EQ(parse(".version 7.0\n.target gfx90\n"),
            "3: expected a target such as sm_80, found 'gfx90'");
  EXPECT_EQ(parse(".version 7.0\n.target sm_80\n.address_size 32\n"),
            "3: expected addresses of 64 bits, found '32'");
}

TEST(Parser, Variables) {
  Module module = moduleOf(std::string(head) + R"(
.visible .global .align 8 .b8 a[6] = {1, 0x2, 0b11, 04, -1, 5U};
.const .align 4 .f32 b[2] = {0f3F800000, 2.5};
.global .align 8 .u64 c[2] = {generic(a)+4, b};
.extern .shared .align 16 .b8 d[];
.shared .b32 e[3][2];
)");
  ASSERT_EQ(module.variables.size(), 5u);
  EXPECT_EQ(module.variables[0].value,
            (std::vector<uint8_t>{1, 2, 3, 4, 255, 5}));
  EXPECT_EQ(module.variables[0].alignment, 8u);
  EXPECT_EQ(module.variables[1].value,
            (std::vector<uint8_t>{0, 0, 128, 63, 0, 0, 32, 64}));
  ASSERT_EQ(module.variables[2].relocations.size(), 2u);
  EXPECT_EQ(module.variables[2].relocations[0].addend, 4);
  EXPECT_EQ(module.variables[2].relocations[1].symbol, "b");
  EXPECT_TRUE(module.variables[3].isDynamic);
  EXPECT_EQ(module.variables[4].bytes, 24u);
}

TEST(Parser, FaultsOfVariables) {
  auto parseVariable = [](const std::string &text) {
    return parse(head + text);
  };
  EXPECT_EQ(parseVariable(".global .b32 a[2] = {1,\n2, 3};"),
            "4: expected at most 2 values, found '3'");
  EXPECT_EQ(parseVariable(".global .align 3 .b8 a[2];"),
            "3: expected an alignment that is a power of two, found 3");
  EXPECT_EQ(parseVariable(".shared .b8 a[1] = {1};"),
            "3: expected no initial value outside of .global and .const, found "
            "'{'");
  EXPECT_EQ(parseVariable(".global .b8 a[99999999999];"),
            "3: expected an integer up to 268435456, found '99999999999'");
  EXPECT_EQ(parseVariable(".global .b8 a[70000][70000];"),
            "3: expected at most 268435456 bytes, found ']'");
  EXPECT_EQ(parseVariable(".extern .global .b32 a;"),
            "3: variable 'a' of another module is not supported");
  EXPECT_EQ(parseVariable(".global .b32 a;\n.global .b32 a;"),
            "4: variable 'a' is declared twice");
  EXPECT_EQ(parseVariable(".shared .b32 b;\n.global .u64 a = b;"),
            "4: expected a variable in memory that is declared before, found "
            "'b'");
  EXPECT_EQ(parseVariable(".global .pred a;"),
            "3: expected a type in memory, found 'pred'");
  EXPECT_EQ(parseVariable(".local .b32 a;"),
            "3: expected a directive of modules, found 'local'");
}

TEST(Parser, Kernels) {
  Module module = moduleOf(std::string(head) + R"(
.visible .entry k(.param .u64 .ptr .global .align 16 a,
                  .param .align 4 .b8 b[12])
.maxntid 128, 2
.reqntid 64
.minnctapersm 2
{ ret; }
.func (.param .b32 r) f(.param .b64 a) .noreturn;
)");
  ASSERT_EQ(module.functions.size(), 2u);
  const Function &kernel = module.functions[0];
  EXPECT_TRUE(kernel.isEntry);
  EXPECT_EQ(kernel.parameters[1].bytes, 12u);
  EXPECT_EQ(kernel.maxThreads, (std::array<uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(kernel.requiredThreads, (std::array<uint32_t, 3>{64, 1, 1}));
  EXPECT_FALSE(module.functions[1].isDefined);
  EXPECT_EQ(module.functions[1].results.size(), 1u);
}

TEST(Parser, BodiesWithDirectives) {
  EXPECT_EQ(parseBody(R"(
.loc 1 2 3, function_name $L, inlined_at 1 2 3
.pragma "nounroll";
.local .align 8 .b8 __local_depot0[32];
.reg .pred %p<2>;
.reg .b32 %r<3>, single; // a comment
/* a longer
   comment */
$L:
{ .reg .b32 single; mov.u32 single, %tid.x; }
@%p1 add.s32 %r1, %r2, -5;
@!%p1 bra.uni $L;
T: .branchtargets $L, $L;
)"),
            "");
  EXPECT_EQ(parse(std::string(head) + ".file 1 \"a b\"\n"
                                      ".section .debug_abbrev { .b8 1 }\n"),
            "");
}

TEST(Parser, NamesInBracesAreTheirOwn) {
  Module module = moduleOf(std::string(head) + R"(.entry k() {
.reg .b32 a;
{ .reg .b32 a; mov.b32 a, 1; }
{ .reg .b64 a; mov.b64 a, 2; }
mov.b32 a, 3;
})");
  const Function &kernel = module.functions[0];
  ASSERT_EQ(kernel.instructions.size(), 3u);
  auto typeOfResult = [&](int i) {
    return kernel.registerType(kernel.instructions[i].operands[0].name);
  };
  EXPECT_NE(kernel.instructions[0].operands[0].name,
            kernel.instructions[2].operands[0].name);
  EXPECT_EQ(typeOfResult(1), Type::B64);
  EXPECT_EQ(typeOfResult(2), Type::B32);
}

TEST(Parser, FaultsOfBodies) {
  EXPECT_EQ(parseBody("\n\nret"), "7: expected ';', found '}'");
  EXPECT_EQ(parseBody("@p ret;"),
            "4: expected a predicate register, found 'p'");
  EXPECT_EQ(parseBody("L:\nL:"), "6: label 'L' is defined twice");
  EXPECT_EQ(parseBody(".reg .b32 a;\n.reg .b32 a;"),
            "5: 'a' is declared twice");
  EXPECT_EQ(parseBody(".reg .b32 %r<99999999>;"),
            "4: expected an integer up to 1048576, found '99999999'");
  EXPECT_EQ(parseBody("T: .branchtargets U;"),
            "3: branch target 'U' of list 'T' is not defined");
  EXPECT_EQ(parseBody("ld.global.b32 a, [1;"), "4: expected ']', found ';'");
  EXPECT_EQ(parseBody("add.s32 a, b, #;"),
            "4: unexpected character with code 35");
  EXPECT_EQ(parseBody("mov.b32 a, 0fXYZ00000;"),
            "4: expected 8 hexadecimal digits, found '0fXYZ00000'");
  EXPECT_EQ(parseBody("mov.b32 a, 12q;"), "4: expected a number, found '12q'");
  EXPECT_EQ(parseBody("/* no end"),
            "4: expected '*/', found the end of the text");
  EXPECT_EQ(parseBody(".pragma \"no end"),
            "4: expected '\"', found the end of the line");
  EXPECT_EQ(parse(std::string(head) + ".entry k() {}\n.entry k() {}"),
            "4: function 'k' is defined twice");
}

/// Every beginning of a text gives a module or an error.
TEST(Parser, TruncatedText) {
  std::string text = test::printTable();
  for (size_t length = 0; length < text.size(); length += 41)
    parseModule(std::string_view(text).substr(0, length));
}

/// So does a text with a wrong character.
TEST(Parser, WrongCharacters) {
  std::string text = test::printTable().substr(0, 6000);
  for (size_t i = 0; i < text.size(); i += 3)
    for (char wrong : {'{', ';', '.', '%', '\0', '9', '\xff'}) {
      std::string changed = text;
      changed[i] = wrong;
      parseModule(changed);
    }
}

} // namespace
