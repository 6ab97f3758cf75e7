//===- Sources.cpp - sources and streams as nodes -------------------------===//
#include "Node.h"

using namespace tg::data;

void Stream::Reader::skip(uint64_t count) {
  std::vector<Feature> features;
  while (count-- > 0 && next(features))
    ;
}

static std::string textOf(const ExampleType &type) {
  std::string text;
  for (const FeatureType &feature : type)
    text += (text.empty() ? "" : ", ") + feature.name + " " + feature.text();
  return text;
}

namespace {

class SourceNode : public Node {
public:
  explicit SourceNode(std::shared_ptr<const Source> read)
      : Node(read->type(), 0), source(std::move(read)) {}

  std::optional<uint64_t> size() const override { return source->size(); }
  Example read(uint64_t epoch, uint64_t index) const override {
    return {source->read(index), index, epoch, source, index};
  }
  std::vector<std::string> places(uint64_t, uint64_t index) const override {
    return {source->place(index)};
  }
  std::string description() const override {
    return "source(" + std::to_string(source->size()) + ": " + textOf(type()) +
           ")";
  }

private:
  std::shared_ptr<const Source> source;
};

class StreamCursor : public Cursor {
public:
  StreamCursor(std::shared_ptr<const Stream> read, uint64_t pass)
      : stream(std::move(read)), reader(stream->open(pass)), epoch(pass) {}

  bool next(Deferred &work) override {
    auto features = std::make_shared<std::vector<Feature>>();
    try {
      if (!reader->next(*features))
        return false;
    } catch (...) {
      ++count; // skip() counts wrong records, too
      throw;
    }
    work = [features, id = count, epoch = epoch, stream = stream] {
      return Example{*features, id, epoch, stream, id};
    };
    ++count;
    return true;
  }
  void save(Numbers &numbers) const override { numbers.push_back(count); }
  void restore(NumberReader &numbers) override {
    count = numbers.next();
    reader->skip(count);
  }

private:
  std::shared_ptr<const Stream> stream;
  std::unique_ptr<Stream::Reader> reader;
  uint64_t epoch;
  uint64_t count = 0;
};

class StreamNode : public Node {
public:
  explicit StreamNode(std::shared_ptr<const Stream> read)
      : Node(read->type(), 0), stream(std::move(read)) {}

  CursorPtr open(uint64_t epoch, Workers &) const override {
    return std::make_unique<StreamCursor>(stream, epoch);
  }
  std::string description() const override {
    return "stream(" + textOf(type()) + ")";
  }

private:
  std::shared_ptr<const Stream> stream;
};

} // namespace

NodePtr tg::data::makeSource(std::shared_ptr<const Source> source) {
  if (!source)
    throw DataError("expected a source, found a null pointer");
  return std::make_shared<SourceNode>(std::move(source));
}

NodePtr tg::data::makeStream(std::shared_ptr<const Stream> stream) {
  if (!stream)
    throw DataError("expected a stream, found a null pointer");
  return std::make_shared<StreamNode>(std::move(stream));
}
