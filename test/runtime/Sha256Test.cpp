/// Checks SHA-256 against the examples of FIPS 180-4, and hashing in pieces
/// against hashing at once.
#include "runtime/files/Sha256.h"

#include <gtest/gtest.h>
#include <string>

using namespace tg;

static std::string hex(const Digest &digest) {
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST(Sha256, knownHashes) {
  EXPECT_EQ(hex(sha256("", 0)),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc", 3)),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string two =
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  EXPECT_EQ(hex(sha256(two.data(), two.size())),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  const std::string million(1000000, 'a');
  EXPECT_EQ(hex(sha256(million.data(), million.size())),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, piecesHashLikeTheWhole) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += static_cast<char>(i * 31);
  for (size_t length = 0; length <= text.size(); ++length) {
    Sha256 hash;
    for (size_t at = 0, piece = 1; at < length; at += piece, ++piece)
      hash.update(text.data() + at, std::min(piece, length - at));
    EXPECT_EQ(hash.finish(), sha256(text.data(), length)) << length;
  }
}

// The CPU that runs the test may have instructions for the hash or not.
TEST(Sha256, plainCodeComputesTheSame) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += static_cast<char>(i * 57 + i / 7);
  for (size_t length = 0; length <= text.size(); ++length) {
    Sha256 hash(true);
    hash.update(text.data(), length);
    EXPECT_EQ(hash.finish(), sha256(text.data(), length)) << length;
  }
  Sha256 million(true);
  million.update(std::string(1000000, 'a').data(), 1000000);
  EXPECT_EQ(hex(million.finish()),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
