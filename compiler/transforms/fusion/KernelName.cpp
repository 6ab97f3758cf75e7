//===- KernelName.cpp - names of kernels ----------------------------------===//
#include "compiler/transforms/fusion/KernelName.h"
#include "compiler/transforms/module/GradientLocation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

/// The maximum number of mnemonics in a name, of letters of each mnemonic, and
/// of letters of the layer or function.
static constexpr size_t kMaximumMnemonics = 4, kMaximumMnemonicLetters = 24,
                        kMaximumLayerLetters = 32;

/// Returns mnemonics of the cluster in program order, each once. Products,
/// reductions and custom kernels are chosen first, then the first other ops.
static SmallVector<StringRef> chooseMnemonics(const Cluster &cluster) {
  llvm::SetVector<StringRef> all, chosen;
  auto mnemonic = [](Operation *op) { return op->getName().stripDialect(); };
  // A check after an op is not characteristic of a kernel.
  for (Operation *op : cluster.ops) {
    auto check = dyn_cast<tgx::ElementCheckOpInterface>(op);
    if (!check || !check.isObserver() || cluster.ops.size() == 1)
      all.insert(mnemonic(op));
  }
  for (Operation *op : cluster.ops)
    if (!isa<ElementOpInterface>(op) && chosen.size() < kMaximumMnemonics)
      chosen.insert(mnemonic(op));
  for (StringRef word : all)
    if (chosen.size() < kMaximumMnemonics)
      chosen.insert(word);
  SmallVector<StringRef> words;
  llvm::copy_if(all, std::back_inserter(words),
                [&](StringRef word) { return chosen.contains(word); });
  return words;
}

/// Returns the path of the layer in the op's location; "" if there is none.
static StringRef layerOf(Operation *op) {
  StringRef layer;
  op->getLoc()->walk([&](Location location) {
    auto named = dyn_cast<NameLoc>(location);
    if (!named)
      return WalkResult::advance();
    layer = named.getName();
    return WalkResult::interrupt();
  });
  return layer;
}

/// Returns the first op that belongs to a layer, else the first op.
static Operation *chooseNamed(const Cluster &cluster) {
  for (Operation *op : cluster.ops)
    if (!layerOf(op).empty())
      return op;
  return cluster.ops.front();
}

/// Returns the longest prefix of a mnemonic that consists of whole words and
/// has at most kMaximumMnemonicLetters letters. Splits the first word if it is
/// longer.
static StringRef firstWords(StringRef mnemonic) {
  if (mnemonic.size() <= kMaximumMnemonicLetters ||
      mnemonic[kMaximumMnemonicLetters] == '_')
    return mnemonic.take_front(kMaximumMnemonicLetters);
  StringRef truncated = mnemonic.take_front(kMaximumMnemonicLetters);
  size_t end = truncated.rfind('_');
  return end == StringRef::npos ? truncated : truncated.take_front(end);
}

/// Returns the longest suffix of a path that consists of whole words and has at
/// most `maximum` letters. Splits the last word if it is longer.
static StringRef lastWords(StringRef path, size_t maximum) {
  if (path.size() <= maximum || !llvm::isAlnum(path.drop_back(maximum).back()))
    return path.take_back(maximum);
  StringRef truncated = path.take_back(maximum);
  StringRef words =
      truncated.drop_while(llvm::isAlnum).drop_until(llvm::isAlnum);
  return words.empty() ? truncated : words;
}

std::string tg::kernelName(const Cluster &cluster) {
  std::string name;
  for (StringRef word : chooseMnemonics(cluster))
    name += (name.empty() ? "" : "_") + firstWords(word).str();
  Operation *named = chooseNamed(cluster);
  StringRef layer = layerOf(named);
  if (layer.empty())
    layer = named->getParentOfType<func::FuncOp>().getSymName();
  StringRef suffix = isGradientLocation(named->getLoc()) ? "_grad" : "";
  name += "__" + lastWords(layer, kMaximumLayerLetters - suffix.size()).str() +
          suffix.str();
  for (char &letter : name)
    if (!llvm::isAlnum(letter))
      letter = '_';
  return name;
}
