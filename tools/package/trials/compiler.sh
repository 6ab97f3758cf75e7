# The compiler packages: a network in C++ and one as text.
. /packages/step.sh
step "apt-get update"
step "apt-get install -y /packages/tgc-runtime_*.deb /packages/tgc_*.deb"
step "g++ -std=c++20 /usr/share/tg/examples/digits/Digits.cpp -I/usr/share/tg -ltg -ltgrt -o digits"
step "./digits /usr/share/tg/examples/digits/digits.csv ."
shows "9[0-9]\.[0-9] ?%"
finish
step "tgc /usr/share/tg/examples/mlir/mlp.mlir -o mlp.so"
step "tgc-run mlp.so init --input seed=1 --save start.safetensors"
step "tgc-run --version"
! dpkg -V tgc tgc-runtime | grep . || exit 1
