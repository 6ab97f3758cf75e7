#!/bin/bash
# Installs what is missing, builds what `cmake --install` installs and the digits
# example, compiles and trains the digits network and says what to try next.
set -euo pipefail
cd "$(dirname "$0")/.."

bash tools/install-dependencies.sh
mkdir -p build
if ! cmake --preset dev >build/configure.log 2>&1; then
  tail -30 build/configure.log
  exit 1
fi
echo "Building the compiler and the digits example; the first time takes some minutes"
cmake --build build --target digits installed -- --quiet

echo "Training the digits network"
mkdir -p build/quickstart
build/bin/digits examples/digits/digits.csv build/quickstart

cat <<'END'

What to try next:
  export PATH=$PWD/build/bin:$PATH
  tgc-run build/quickstart/digits.so                    # what is in the compiled network
  tgc examples/mlir/mlp.mlir -o mlp.so --timing         # compile a model written as text
  tgc examples/mlir/mlp.mlir --stop-after=fuse          # see its fused kernels
  cmake --install build --prefix DIR                    # use tgc from programs of your own
  more README.md examples/digits/README.md              # a first network in C++
  tools/check.sh                                        # run every test
END
