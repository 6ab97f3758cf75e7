# The wheel: the models to try in Python. It is for the Python of the machine
# that made it, or for newer ones.
. /packages/step.sh
step "apt-get update"
step "apt-get install -y python3-venv"
step "python3 -m venv env"
step "env/bin/pip install /packages/tgc-*.whl"
step "env/bin/python -c 'import tgc; print(tgc.models.load(\"digits\").functions[\"test\"])'"
shows "probabilities"
step "env/bin/python -m tgc --version"
finish
