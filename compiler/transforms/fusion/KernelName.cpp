//===- KernelName.cpp - names of kernels ----------------------------------===//
#include "compiler/transforms/fusion/KernelName.h"
#include "compiler/transforms/module/GradientLocation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

/// The upper bounds of mnemonics in a name, of letters of each mnemonic, and of
/// letters of the layer or function.
static constexpr size_t kMaximumWords = 4, kMaximumWord = 24,
                        kMaximumPlace = 32;

/// Returns mnemonics of the cluster in program order, each once. Products,
/// reductions and custom kernels are chosen first, then the first other ops.
static SmallVector<StringRef> chooseWords(const Cluster &cluster) {
  llvm::SetVector<StringRef> all, chosen;
  auto mnemonic = [](Operation *op) { return op->getName().stripDialect(); };
  // A check after an op is not characteristic of a kernel.
  for (Operation *op : cluster.ops) {
    auto check = dyn_cast<tgx::ElementCheckOpInterface>(op);
    if (!check || !check.isObserver() || cluster.ops.size() == 1)
      all.insert(mnemonic(op));
  }
  for (Operation *op : cluster.ops)
    if (!isa<ElementOpInterface>(op) && chosen.size() < kMaximumWords)
      chosen.insert(mnemonic(op));
  for (StringRef word : all)
    if (chosen.size() < kMaximumWords)
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

/// Returns the whole words at the beginning of a mnemonic that fit.
static StringRef firstWords(StringRef mnemonic) {
  if (mnemonic.size() <= kMaximumWord || mnemonic[kMaximumWord] == '_')
    return mnemonic.take_front(kMaximumWord);
  StringRef cut = mnemonic.take_front(kMaximumWord);
  size_t end = cut.rfind('_');
  return end == StringRef::npos ? cut : cut.take_front(end);
}

/// Returns the whole words at the end of a path that fit into `most` letters.
static StringRef lastWords(StringRef path, size_t most) {
  if (path.size() <= most || !llvm::isAlnum(path.drop_back(most).back()))
    return path.take_back(most);
  StringRef cut = path.take_back(most);
  StringRef words = cut.drop_while(llvm::isAlnum).drop_until(llvm::isAlnum);
  return words.empty() ? cut : words;
}

std::string tg::kernelName(const Cluster &cluster) {
  std::string name;
  for (StringRef word : chooseWords(cluster))
    name += (name.empty() ? "" : "_") + firstWords(word).str();
  Operation *named = chooseNamed(cluster);
  StringRef place = layerOf(named);
  if (place.empty())
    place = named->getParentOfType<func::FuncOp>().getSymName();
  StringRef what = isGradientLocation(named->getLoc()) ? "_grad" : "";
  name +=
      "__" + lastWords(place, kMaximumPlace - what.size()).str() + what.str();
  for (char &letter : name)
    if (!llvm::isAlnum(letter))
      letter = '_';
  return name;
}
