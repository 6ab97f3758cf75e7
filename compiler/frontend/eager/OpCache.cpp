//===- OpCache.cpp - a cache of verified ops ------------------------------===//
#include "compiler/frontend/eager/OpCache.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

namespace {
/// The lookup key of an op, as bytes.
class Key {
public:
  void put(llvm::StringRef text) {
    put(int64_t(text.size()));
    bytes.append(text);
  }
  void put(int64_t number) {
    bytes.append({reinterpret_cast<const char *>(&number), sizeof(number)});
  }
  void put(const dsl::Attribute &attribute) {
    put(llvm::StringRef(attribute.name));
    put(int64_t(attribute.value.index()));
    std::visit([&](const auto &value) { putValue(value); }, attribute.value);
  }
  void put(const HostTensor &tensor) {
    put(int64_t(uintptr_t(tensor.getElementType().getAsOpaquePointer())));
    put(tensor.getRank());
    for (int64_t extent : tensor.getShape())
      put(extent);
  }
  llvm::StringRef str() const { return bytes; }

private:
  void putValue(dsl::Attribute::Flag) {}
  void putValue(dsl::Attribute::Predicate value) {
    put(llvm::StringRef(value.word));
  }
  void putValue(dsl::Attribute::Word value) {
    put(llvm::StringRef(value.word));
  }
  void putValue(int64_t value) { put(value); }
  void putValue(const std::vector<int64_t> &values) {
    put(int64_t(values.size()));
    for (int64_t value : values)
      put(value);
  }
  void putValue(DType dtype) { put(int64_t(dtype)); }

  llvm::SmallString<256> bytes;
};
} // namespace

OpCache::OpCache(Body::Impl &impl) : impl(impl) {
  OpBuilder builder(impl.function);
  function = func::FuncOp::create(builder, impl.function.getLoc(), "__ops",
                                  FunctionType::get(&impl.context, {}, {}));
  function.setPrivate();
  function.addEntryBlock();
}

void OpCache::clear() {
  ops.clear();
  standIns.clear();
  Block &block = function.getBody().front();
  block.clear();
  block.eraseArguments(0, block.getNumArguments());
}

Result<CachedOp *> OpCache::find(std::string_view op,
                                 ArrayRef<HostTensor> operands,
                                 std::span<const dsl::Attribute> attributes,
                                 Place where) {
  Key key;
  key.put(llvm::StringRef(op));
  for (const dsl::Attribute &attribute : attributes)
    key.put(attribute);
  for (const HostTensor &operand : operands)
    key.put(operand);
  auto found = ops.find(key.str());
  if (found != ops.end())
    return {&found->second};
  if (ops.size() >= kMaxOps)
    clear();
  Capture capture(&impl.context);
  std::optional<CachedOp> built =
      build(op, operands, attributes, impl.locate(where));
  if (!built)
    return {nullptr, capture.take("a valid op")};
  return {&ops.try_emplace(key.str(), std::move(*built)).first->second};
}

std::optional<CachedOp>
OpCache::build(std::string_view op, ArrayRef<HostTensor> operands,
               std::span<const dsl::Attribute> attributes, Location loc) {
  Block &block = function.getBody().front();
  SmallVector<Value> values;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    RankedTensorType type = operand.getType();
    Value &value = standIns[{type, unsigned(number)}];
    if (!value)
      value = block.addArgument(type, loc);
    values.push_back(value);
  }
  NamedAttrList list;
  for (const dsl::Attribute &attribute : attributes)
    list.set(llvm::StringRef(attribute.name), impl.convert(attribute));
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  Operation *built =
      impl.buildOp(builder, op, values, list.getDictionary(&impl.context), loc);
  if (!built)
    return std::nullopt;
  CachedOp entry{built};
  RunExtents extents;
  std::string error = inferRunExtents(built, operands, extents);
  if (!error.empty()) {
    built->emitOpError(error);
    built->erase();
    return std::nullopt;
  }
  if (!extents.isStatic)
    return entry;
  entry.results.emplace();
  for (const TensorExtents &result : extents.results)
    entry.results->emplace_back(
        result.elementType, SmallVector<int64_t>(result.getType().getShape()));
  return entry;
}
