//===- MessagesTest.cpp - Tests of names in messages ----------------------===//
//
// Tests the nearest of many names, and that hints name existing operations.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ForeignNames.h"

#include "dialects/tg/Sentences.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/Tg.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;

namespace {

TEST(Suggestions, nameTheNearest) {
  StringRef functions[] = {"train", "test", "good/head/weight"};
  EXPECT_EQ(nearestName("trian", functions), "train");
  EXPECT_EQ(nearestName("Train", functions), "train");
  EXPECT_EQ(nearestName("weight", functions), "good/head/weight");
  EXPECT_EQ(nearestName("net/good/head/weight", functions), "good/head/weight");
  EXPECT_EQ(nearestName("good/haed/weight", functions), "good/head/weight");
  EXPECT_EQ(nearestName("score", functions), "");
  EXPECT_EQ(nearestName("x", {"y"}), "");
  EXPECT_EQ(nearestName(std::string(100, 'x'), {std::string(100, 'x')}), "");
}

TEST(Suggestions, listWhatThereIs) {
  EXPECT_EQ(suggestName("trian", {"train", "test"}),
            "; did you mean 'train'?");
  EXPECT_EQ(suggestName("score", {"train", "test"}),
            "; there are 'train' and 'test'");
  EXPECT_EQ(suggestName("score", {"train"}), "; there is 'train'");
  EXPECT_EQ(suggestName("score", {}), "; there is none");
  SmallVector<std::string> many;
  for (int i = 0; i < 10; ++i)
    many.push_back("layer_" + std::to_string(i));
  EXPECT_EQ(suggestName("loss", llvm::to_vector_of<StringRef>(many)),
            "; there are 'layer_0', 'layer_1', 'layer_2', 'layer_3', "
            "'layer_4', 'layer_5', 'layer_6', 'layer_7' and 2 more");
}

TEST(Sentences, knowRules) {
  EXPECT_TRUE(hasRule("expected more [C2]"));
  EXPECT_TRUE(hasRule("expected more [C10]"));
  EXPECT_FALSE(hasRule("expected more [2]"));
  EXPECT_FALSE(hasRule("expected more"));
  EXPECT_FALSE(hasRule("]"));
  EXPECT_FALSE(hasRule(""));
  EXPECT_FALSE(hasRule("found [n, 3]"));
}

TEST(ForeignNames, areNoOpsAndNameOps) {
  MLIRContext context;
  context.loadDialect<TgDialect>();
  auto isOp = [&](StringRef name) {
    return RegisteredOperationName::lookup(name, &context).has_value();
  };
  for (const ForeignName &foreign : getForeignNames()) {
    EXPECT_FALSE(isOp(("tg." + foreign.name).str())) << foreign.name.str();
    StringRef rest = foreign.hint;
    while (rest.contains("tg.")) {
      rest = rest.substr(rest.find("tg."));
      StringRef op = rest.take_while(
          [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
      EXPECT_TRUE(isOp(op) || op == "tg.name") << op.str();
      rest = rest.drop_front(op.size());
    }
  }
}

} // namespace
