# The wheel: the models to try in Python. It is for the Python of the machine
# that made it, or for newer ones.
. /packages/step.sh
step "apt-get update"
step "apt-get install -y python3-venv python3-numpy"
step "python3 -m venv --system-site-packages v"
step "v/bin/pip install /packages/tgc-*.whl"
step "v/bin/python -c 'import tgc; print(tgc.models.load(\"digits\"))'"
shows "probabilities"
step "v/bin/python -m tgc --version"
finish
