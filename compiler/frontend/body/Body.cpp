//===- Body.cpp - types, inputs, and errors at the user's line ------------===//
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Errors and locations
//===----------------------------------------------------------------------===//

/// Returns the first file, line and column in a location.
static FileLineColLoc findLine(Location loc) {
  FileLineColLoc line;
  loc->walk([&](Location part) {
    if (!isa<FileLineColLoc>(part))
      return WalkResult::advance();
    line = cast<FileLineColLoc>(part);
    return WalkResult::interrupt();
  });
  return line;
}

Error dsl::makeError(std::string message, Location loc) {
  Error error{std::move(message), "", 0, 0};
  if (FileLineColLoc line = findLine(loc)) {
    error.file = line.getFilename().str();
    error.line = line.getLine();
    error.column = line.getColumn();
  }
  return error;
}

Capture::Capture(MLIRContext *context, DiagnosticSeverity severity)
    : handler(context, [this, severity](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == severity)
          errors.push_back(
              makeError(nameTypes(nameModelOptions(diagnostic.str())),
                        diagnostic.getLocation()));
        return success();
      }) {}

Error Capture::take(llvm::StringRef expected) {
  if (!errors.empty())
    return errors.front();
  return {"expected " + expected.str() + ", found a failure without a message",
          "", 0, 0};
}

Error Capture::takeAll(llvm::StringRef expected) {
  Error first = take(expected);
  if (!errors.empty())
    first.others.assign(errors.begin() + 1, errors.end());
  return first;
}

Error dsl::makeError(std::string message, Place where) {
  return {std::move(message), where.file_name(), where.line(), where.column()};
}

Place Body::effectivePlace(Place where) const {
  for (const Impl::Scope &scope : impl->scopes)
    if (scope.place)
      return *scope.place;
  return where;
}

std::string Body::path() const { return impl->path(); }

std::string Body::Impl::path() const {
  std::string path;
  for (const Scope &scope : scopes)
    if (!scope.name.empty())
      path += (path.empty() ? "" : "/") + scope.name;
  return path;
}

Location Body::Impl::locate(Place where) {
  std::string path = this->path();
  std::optional<Place> place;
  for (const Scope &scope : scopes)
    if (!place)
      place = scope.place;
  Place line = place.value_or(where);
  Location loc = FileLineColLoc::get(&context, line.file_name(), line.line(),
                                     line.column());
  if (path.empty())
    return loc;
  // The outermost name is the path, because code that reads the layer of an op
  // takes that name.
  for (const Scope &scope : llvm::reverse(scopes))
    if (!scope.fprop.empty()) {
      loc = NameLoc::get(StringAttr::get(&context, scope.fprop), loc);
      break;
    }
  return NameLoc::get(StringAttr::get(&context, path), loc);
}

void Body::pushScope(std::string name, std::optional<Place> place,
                     std::string fprop) {
  impl->scopes.push_back({std::move(name), place, std::move(fprop)});
}

void Body::popScope() { impl->scopes.pop_back(); }

Error Body::Impl::needsGraph(const std::string &what, Place where) const {
  return makeError("expected graph mode for " + what +
                       ", found eager execution, in which tensors have their "
                       "values at once",
                   where);
}

Error Body::Impl::inScope(Error error) const {
  if (std::string path = this->path(); !path.empty())
    error.message = "'" + path + "': " + error.message;
  return error;
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

static ElementType elementOf(DType dtype) {
  switch (dtype) {
#define TG_ELEMENT(name, front, ...)                                           \
  case DType::front:                                                           \
    return ElementType::name;
    TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
  }
  llvm_unreachable("all element types are above");
}

Type Body::Impl::convert(DType dtype) {
  return mlirTypeOf(::elementOf(dtype), &context);
}

static DType convert(Type type) {
  switch (tg::elementOf(type)) {
#define TG_ELEMENT(name, front, ...)                                           \
  case ElementType::name:                                                      \
    return DType::front;
    TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
  }
  llvm_unreachable("all element types are above");
}

RankedTensorType Body::Impl::convert(const tg::TensorType &type) {
  SmallVector<int64_t> extents;
  for (const Extent &extent : type.shape)
    extents.push_back(extent.isKnown() ? extent.value : ShapedType::kDynamic);
  return RankedTensorType::get(extents, convert(type.dtype));
}

mlir::Attribute Body::Impl::convert(const dsl::Attribute &attribute) {
  if (std::holds_alternative<dsl::Attribute::Flag>(attribute.value))
    return builder->getUnitAttr();
  if (auto *word = std::get_if<dsl::Attribute::Predicate>(&attribute.value))
    return PredicateAttr::get(&context, *symbolizePredicate(word->word));
  if (auto *word = std::get_if<dsl::Attribute::Word>(&attribute.value))
    return builder->getStringAttr(llvm::StringRef(word->word));
  if (auto *number = std::get_if<int64_t>(&attribute.value))
    return builder->getI64IntegerAttr(*number);
  if (auto *list = std::get_if<std::vector<int64_t>>(&attribute.value))
    return builder->getI64ArrayAttr(*list);
  return TypeAttr::get(convert(std::get<DType>(attribute.value)));
}

tg::TensorType Body::Impl::convert(RankedTensorType type) {
  tg::TensorType result{::convert(type.getElementType()), {}};
  for (int64_t extent : type.getShape())
    result.shape.push_back(ShapedType::isDynamic(extent) ? dim()
                                                         : Extent(extent));
  return result;
}

SavedTensor Body::Impl::save(const HostTensor &tensor) {
  return {convert(tensor.getType()),
          {tensor.data(), tensor.data() + tensor.getNumBytes()}};
}

HostTensor Body::Impl::tensorOf(const SavedTensor &saved) {
  RankedTensorType type = convert(saved.type);
  HostTensor tensor(type.getElementType(), type.getShape());
  std::copy(saved.bytes.begin(), saved.bytes.end(), tensor.data());
  return tensor;
}

tg::TensorType Body::type(Id value) const {
  if (impl->evaluator)
    return impl->evaluator->type(value);
  Value converted = impl->values[value];
  if (!converted)
    return {}; // its region was erased
  while (auto call = converted.getDefiningOp<UnrealizedConversionCastOp>())
    converted = call.getOperand(0);
  auto argument = dyn_cast<BlockArgument>(converted);
  if (argument && argument.getOwner() == impl->top)
    return impl->inputs[argument.getArgNumber()].second;
  tg::TensorType type =
      Impl::convert(cast<RankedTensorType>(converted.getType()));
  impl->nameExtents(converted, type.shape);
  return type;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

std::shared_ptr<Body> Body::create(std::string name, Place where,
                                   EvaluatorFactory *makeEvaluator) {
  DialectRegistry registry;
  registerModelDialects(registry);
  auto impl = std::make_unique<Impl>(registry);
  MLIRContext *context = &impl->context;
  context->loadDialect<TgDialect, func::FuncDialect>();
  Location loc = impl->locate(where);
  impl->name = std::move(name);
  impl->module = ModuleOp::create(loc, llvm::StringRef(impl->name));
  impl->builder.emplace(impl->module->getBodyRegion());
  impl->function = func::FuncOp::create(*impl->builder, loc, "__body",
                                        FunctionType::get(context, {}, {}));
  impl->function.setPrivate();
  impl->top = impl->function.addEntryBlock();
  impl->builder->setInsertionPointToEnd(impl->top);
  impl->listen();
  std::shared_ptr<Body> body(new Body(std::move(impl)));
  if (makeEvaluator)
    body->impl->evaluator = makeEvaluator(*body, *body->impl);
  return body;
}

Body::Impl::Impl(const DialectRegistry &registry) : context(registry) {
  trackExtents();
}
Body::Impl::~Impl() = default;

Body::Body(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Body::~Body() = default;
const std::string &Body::name() const { return impl->name; }
bool Body::isEager() const { return impl->evaluator != nullptr; }
EagerEvaluator *Body::evaluator() const { return impl->evaluator.get(); }
void Body::restartStreams() { impl->streams = 0; }

void Body::warn(const std::string &message, Place where) {
  impl->warnings.push_back(makeError(message, effectivePlace(where)));
}

std::vector<Error> Body::takeWarnings() {
  return std::exchange(impl->warnings, {});
}

int64_t Body::nextStream() { return ++impl->streams; }

Id Body::Impl::add(Value value) {
  values.push_back(value);
  return Id(values.size() - 1);
}

std::vector<Id> Body::Impl::addAll(ValueRange range) {
  std::vector<Id> ids;
  for (Value value : range)
    ids.push_back(add(value));
  return ids;
}

Result<Id> Body::addInput(const std::string &name, const tg::TensorType &type,
                          Place where) {
  if (impl->evaluator)
    return {0, impl->needsGraph("input '" + name + "'", where)};
  if (std::string mistake = Impl::checkName(name, "an input"); !mistake.empty())
    return {0, makeError(mistake, where)};
  for (auto [axis, extent] : llvm::enumerate(type.shape))
    if (extent.value < 0 && extent.isKnown())
      return {0, makeError("expected dim " + std::to_string(axis) + " of '" +
                               name + "' to be at least 0 or dim(), found " +
                               std::to_string(extent.value),
                           where)};
  impl->inputs.emplace_back(name, type);
  Value input =
      impl->top->addArgument(impl->convert(type), impl->locate(where));
  impl->trackExtents(input, type.shape);
  return {impl->add(input)};
}

Id Body::initSeed(const std::string &variable) {
  if (impl->evaluator)
    return impl->evaluator->addSeed(variable);
  if (!impl->seed) {
    impl->seed = addInput("seed", {i64, {}}, Place()).value;
    // The seed belongs to no layer, even if a layer's variable is the first to
    // request it.
    cast<BlockArgument>(impl->values[*impl->seed])
        .setLoc(UnknownLoc::get(&impl->context));
  }
  // The insertion point is not the end of the body while a branch or loop is
  // being filled.
  Block::iterator here = impl->builder->getInsertionPoint();
  impl->beforeInitial =
      here == impl->top->begin() ? nullptr : &*std::prev(here);
  Id seed = impl->add(impl->values[*impl->seed]);
  impl->initSamples[seed].first = variable;
  return seed;
}

int64_t Body::initStream(Id seed) {
  auto found = impl->initSamples.find(seed);
  if (found == impl->initSamples.end())
    return nextStream();
  auto &[variable, draws] = found->second;
  std::string draw = variable + "#" + std::to_string(draws++);
  int64_t stream = llvm::xxh3_64bits(draw) >> 32;
  while (!impl->initStreams.insert(stream).second)
    stream = (stream + 1) & 0xffffffff;
  return stream;
}
