#!/bin/bash
# Checks a GPU: instructions, kernels, the numeric table, networks, random
# programs, trainings and times. Prints a table with a row for each.
#
#   tools/check-gpu.sh                    the first GPU, with programs of build/
#   tools/check-gpu.sh --pack=KIT.tar.xz  packs what the check needs, for a
#                                         machine with a driver alone
#   tools/check-gpu.sh --driver=FILE      another driver, such as the simulator
#                                         build/lib/simulator/libcuda.so.1
#   tools/check-gpu.sh --build=DIRECTORY  programs of another build
#   tools/check-gpu.sh --quick            a part of each row
#   tools/check-gpu.sh --only=NAME,...    rows of these names
#
# An unpacked kit is checked by its own copy: KIT/tools/check-gpu.sh. It needs
# Python 3 without packages, and neither a compiler, CUDA's toolkit nor a network.
set -uo pipefail
. "$(dirname "$0")/dev/answer.sh"
cd "$(dirname "$0")/.." || exit 1
root=$PWD

build=$root/build
pack='' driver=libcuda.so.1 quick=false only=''
for argument in "$@"; do
  case "$argument" in
  --build=*) build=$(realpath -m "${argument#*=}") ;;
  --pack=*) pack=$(realpath -m "${argument#*=}") ;;
  --driver=*) driver=$(realpath -m "${argument#*=}") ;;
  --only=*) only=${argument#*=} ;;
  --quick) quick=true ;;
  *)
    sed -n 's/^#   /  /p' "$0" >&2
    exit 2
    ;;
  esac
done

tests=(SimulatorInstructionTest ThreadKernelTest ElementThreadsTest
  ReductionThreadsTest CustomThreadsTest CudaTableTest DeviceBitsTest)
programs=("${tests[@]}" tgc tgc-run tgc-bench)
# The trainings that are compared with the CPU: a model of examples/mlir, and
# workloads of tgc-bench with their batch sizes.
trainings=(mlp 'allcnn 32' 'resnet50 8' 'mobilenet_v2 8' 'unet 4'
  'transformer 8' 'lstm 32')
$quick && trainings=(mlp)
# The workloads that are measured.
workloads='ew_gelu,softmax,layernorm,column_sums,adam25m,transpose,gemm_*,batched_gemm_*,conv*,mlp*,allcnn,resnet50,mobilenet_v2,transformer,lstm'
$quick && workloads=batched_gemm_64x16x16x16
steps=50
$quick && steps=5

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

for program in "${programs[@]}"; do
  if [ ! -x "$build/bin/$program" ]; then
    echo "error: $build/bin has no $program, expected a build of the preset dev" >&2
    exit 1
  fi
done

#===------------------------------------------------------------------------===#
# Kits
#===------------------------------------------------------------------------===#

# Prints the shared libraries of the programs, but for those of glibc, which
# every machine has.
libraries() {
  (cd "$build/bin" && ldd "${programs[@]}") |
    awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so'
}

# packKit <file>: the programs, their libraries and this script.
packKit() {
  local kit=$work/tgc-gpu
  mkdir -p "$kit/build/bin" "$kit/build/lib" "$kit/tools"
  (cd "$build/bin" && cp "${programs[@]}" "$kit/build/bin") &&
    strip "$kit"/build/bin/* &&
    libraries | xargs -I{} cp -L {} "$kit/build/lib" &&
    cp "$0" "$kit/tools/check-gpu.sh" &&
    cp --parents CMakeLists.txt tools/dev/answer.sh tools/dev/make-npy.py \
      include/tg/dtypes.h examples/mlir/mlp.mlir "$kit" &&
    tar -C "$work" -cf - tgc-gpu | XZ_OPT=${XZ_OPT:--6} xz -T0 >"$1.part" &&
    mv "$1.part" "$1"
}

if [ -n "$pack" ]; then
  if ! packKit "$pack"; then
    rm -f "$pack.part"
    echo "error: $pack could not be written" >&2
    exit 1
  fi
  echo "packed $(du -h "$pack" | cut -f1): unpack it beside a GPU and run tgc-gpu/tools/check-gpu.sh"
  exit
fi

#===------------------------------------------------------------------------===#
# Rows of the table
#===------------------------------------------------------------------------===#

if [ -d "$root/build/lib" ] && [ ! -d "$root/compiler" ]; then
  export LD_LIBRARY_PATH=$root/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
case "$driver" in
/*) export LD_LIBRARY_PATH=$(dirname "$driver")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
esac
export TG_TEST_DRIVER=$driver
export TG_KERNEL_CACHE=$work/kernels
export PATH=$build/bin:$PATH
status=0

# wanted <name>: returns whether the row was asked for.
wanted() { [ -z "$only" ] || [[ ",$only," == *",$1,"* ]]; }

# row <name> <result> <seconds> <figures>
row() { printf '%-24s %-7s %6s s  %s\n' "$@"; }

# fail <log>: shows the end of a log below a failed row.
fail() {
  status=1
  tail -20 "$1" | sed 's/^/    /'
}

# runTest <name> <program> <filter of --quick> <filter>
runTest() {
  wanted "$1" || return
  local log=$work/$1.log start=$SECONDS filter=$4 result=pass
  $quick && filter=$3
  "$build/bin/$2" --gtest_brief=1 --gtest_filter="$filter" >"$log" 2>&1 || result=FAIL
  row "$1" $result $((SECONDS - start)) "$(grep -oE '[0-9]+ tests? from' "$log" | tail -1 | cut -d' ' -f1) tests"
  [ $result = pass ] || fail "$log"
}

# Prints the options of tgc-run that give inputs to train of a library: random
# tensors, whose dynamic extents are 64, and 0.01 for a number.
inputs() {
  tgc-run "$1" | sed -nE 's/^  train \((.*)\) -> .*/\1/p' |
    grep -oE '[A-Za-z_0-9]+: [a-z0-9]+( \[[A-Za-z_0-9, ]*\])?' |
    while read -r name type shape; do
      name=${name%:}
      if [ -z "$shape" ]; then
        echo "--input=$name=0.01"
        continue
      fi
      read -ra extents <<<"$(sed -E 's/[A-Za-z_]+/64/g; s/[],[]/ /g' <<<"$shape")"
      python3 tools/dev/make-npy.py "$work/$name.npy" "$type" "${extents[@]}" &&
        echo "--input=$name=$work/$name.npy"
    done
}

# train <library> <device> <file for digests> <options...>
train() {
  local start=$work/start.safetensors
  tgc-run "$1" init --input=seed=42 --device="$2" --save="$start" &&
    tgc-run "$1" train --load="$start" --device="$2" --repeat="$steps" --digest \
      "${@:4}" >"$3"
}

# compareTraining <model> [<batch size>]: trains on the CPU and twice on the GPU,
# whose outputs and variables must be those of the CPU.
compareTraining() {
  local library=$work/$1.so model=examples/mlir/$1.mlir options
  if [ $# -eq 2 ]; then
    model=$work/$1.mlir
    tgc-bench --workload "$1" --mode train --batch "$2" --print >"$model" || return
  fi
  tgc "$model" --targets=cpu,cuda -o "$library" || return
  mapfile -t options < <(inputs "$library")
  [ ${#options[@]} -gt 0 ] || return
  train "$library" cpu "$work/cpu.txt" "${options[@]}" || return
  local turn
  for turn in 1 2; do
    train "$library" cuda "$work/gpu.txt" "${options[@]}" || return
    diff "$work/cpu.txt" "$work/gpu.txt" || return
  done
}

# runTraining <model> [<batch size>]
runTraining() {
  local name=train-$1 start=$SECONDS result=pass
  wanted "$name" || return
  compareTraining "$@" >"$work/$name.log" 2>&1 || result=FAIL
  row "$name" $result $((SECONDS - start)) "$steps steps, twice: bits of the CPU"
  [ $result = pass ] || fail "$work/$name.log"
}

# Measures workloads of tgc-bench, and prints its lines.
measure() {
  wanted times || return
  local log=$work/times.log start=$SECONDS result=pass
  tgc-bench --workload "$workloads" --device=cuda:0 $($quick && echo --rounds 1) \
    >"$log" 2>&1 || result=FAIL
  row times $result $((SECONDS - start)) "of calls, and of their steps on the GPU"
  if [ $result = pass ]; then
    sed 's/^/    /' "$log"
  else
    fail "$log"
  fi
}

#===------------------------------------------------------------------------===#
# The check
#===------------------------------------------------------------------------===#

command -v nvidia-smi >/dev/null &&
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
row check result time figures
runTest instructions SimulatorInstructionTest '*' '*'
runTest kernels ThreadKernelTest '*' '*'
runTest elements ElementThreadsTest '*' '*'
runTest reductions ReductionThreadsTest '*' '*'
runTest custom CustomThreadsTest '*' '*'
runTest table CudaTableTest '*/matmul_*_f32:*/reduce_*_f32' '-CudaNetwork.*'
runTest networks DeviceBitsTest '*/curve_fit:*/?' '*'
for training in "${trainings[@]}"; do
  # shellcheck disable=SC2086 # a name and a batch size
  runTraining $training
done
measure
exit $status
