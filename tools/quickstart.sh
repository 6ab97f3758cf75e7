#!/bin/bash
# Installs missing packages, builds what the digits network needs, compiles and
# trains it, builds and installs everything that docs/install.md names (into
# build/prefix), and suggests the next steps.
#
#   tools/quickstart.sh
set -euo pipefail
. "$(dirname "$0")/dev/answer.sh"
if [ $# -gt 0 ]; then
  echo "usage: tools/quickstart.sh; it takes no arguments, found $*" >&2
  exit 2
fi
cd "$(dirname "$0")/.."

bash tools/install-dependencies.sh --build
mkdir -p build
if ! cmake --preset dev >build/configure.log 2>&1; then
  tail -30 build/configure.log
  exit 1
fi
cores=$(nproc)
echo "Building on $cores cores; the first time takes about $(((20 + cores - 1) / cores)) minutes"
cmake --build build --target digits

echo "Training the digits network"
mkdir -p build/quickstart
build/bin/digits examples/digits/digits.csv build/quickstart

echo "Building and installing the other tools"
cmake --build build --target installed embed-bare embed-classify embed-hosted embed-serve-bare embed-serve-hosted
cmake --build build --target kernel-archive
cmake --install build --prefix build/prefix >build/install.log

cat <<'END'

What to try next:
  export PATH=$PWD/build/bin:$PATH
  build/bin/embed-classify build/share/tg/models/digits.so build/share/tg/models/digits.npy  # a C host of a compiled network
  tgc-run build/quickstart/digits.so                    # what is in the compiled network
  tgc examples/mlir/mlp.mlir -o mlp.so --timing         # compile a model written as text
  tgc examples/mlir/mlp.mlir --stop-after=fuse          # see its fused kernels
  tgc-bench examples/mlir/mlp.mlir --function=train     # how fast it is
  cmake -B BUILD -DCMAKE_PREFIX_PATH=$PWD/build/prefix  # in a project of your own: find_package(tg)
  more docs/guide/first-network.md                      # a first network in C++
  tools/check.sh                                        # run every test
END
