# The archive, unpacked where no package is installed but the C++ compiler.
. /packages/step.sh
apt-get update >/dev/null
apt-get install -y xz-utils >/dev/null 2>&1
step "tar -xf /packages/tgc-*-linux.tar.xz && mv tgc-*-linux 'a place'"
step "'a place/bin/tgc' 'a place/share/tg/examples/mlir/mlp.mlir' -o mlp.so"
step "'a place/bin/tgc-run' mlp.so init --input seed=1 --save start.safetensors"
step "'a place/bin/tgc-run' 'a place/share/tg/models/digits.so' test --input image='a place/share/tg/models/digits.npy' --output probabilities=p.npy"
for program in 'a place/bin/'*; do
  step "'$program' --version"
done
step "apt-get install -y g++"
step "g++ -std=c++20 'a place/share/tg/examples/digits/Digits.cpp' -I'a place/include' -I'a place/share/tg' -L'a place/lib' -ltg -ltgrt -Wl,-rpath,'/root/a place/lib' -o digits"
step "./digits 'a place/share/tg/examples/digits/digits.csv' ."
shows "9[0-9]\.[0-9] ?%"
finish
