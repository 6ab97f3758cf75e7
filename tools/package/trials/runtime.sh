# The runtime package: the models to try by tgc-run and in C.
. /packages/step.sh
step "apt-get update"
step "apt-get install -y /packages/tgc-runtime_*.deb"
step "tgc-run /usr/share/tg/models/digits.so"
shows "test \(image: f32"
step "tgc-run /usr/share/tg/models/digits.so test --input image=/usr/share/tg/models/digits.npy --output probabilities=p.npy"
step "tgc-run /usr/share/tg/models/char_lm.so sample --input lines=3 --input temperature=0.5 --output text=text.npy"
finish
step "apt-get install -y gcc libc6-dev"
step "cc -std=c11 /usr/share/tg/examples/embed/classify.c -o classify -ltgrt"
step "./classify /usr/share/tg/models/digits.so /usr/share/tg/models/digits.npy"
shows "image 9: 9"
finish
! dpkg -V tgc-runtime | grep . || exit 1
! dpkg-query -W 'libllvm*' 2>/dev/null | grep . || exit 1
