"""The package: descriptions, the compiler, the command line, types."""

import ast
import builtins
import importlib.metadata
import inspect
import os
import pathlib
import pickle
import re
import subprocess
import sys
import traceback

import numpy
import pytest

import tgc


def run_module(*arguments):
    """Returns the output of python -m tgc."""
    return subprocess.run([sys.executable, "-m", "tgc", *arguments], check=True, text=True,
                          capture_output=True).stdout


def test_a_model_describes_itself(load):
    model = load("line")
    train = model.functions["train"]
    assert list(model.functions) == ["init", "train", "test"]
    assert list(train.inputs) == ["x", "target", "rate"]
    assert train.inputs["x"].dtype == numpy.float32 and train.inputs["x"].shape == ("batch",)
    assert train.inputs["rate"].shape == () and train.outputs["loss"].shape == ()
    assert train.writes_variables and not model.functions["test"].writes_variables
    assert train.symbols["batch"].minimum == 1 and train.symbols["batch"].given
    assert str(train) == ("train(x: float32[batch], target: float32[batch], rate: float32[]) -> "
                          "(loss: float32[])")
    assert repr(model) == "<tgc.Model 'line': init, train, test; 2 variables of 8 B>"
    assert str(model).splitlines()[0] == "model line, 2 variables of 8 B"
    assert str(train) in str(model)
    w = model.variables["w"]
    assert (w.role, w.trainable, w.shape, w.owner, w.nbytes) == ("parameter", True, (), None, 4)
    assert load("mlp").variables["w1_m"].owner == "w1"
    assert repr(load("kinds")) == "<tgc.Model 'kinds': copy, scalars, find; no variables>"
    assert not load("kinds").functions["find"].symbols["n"].minimum
    assert model.metadata["compiler"]
    assert repr(model.context()) == "<tgc.Context of 'line'>"
    with pytest.raises(TypeError):
        model.functions["new"] = train


def test_tables_are_for_people(load):
    functions = load("line").functions
    test = "test(x: float32[batch]) -> (y: float32[batch])"
    assert repr(functions["test"]) == f"<tgc.Function {test}>"
    assert str(functions) == repr(functions) == "\n".join(map(str, functions.values()))
    assert str(functions).splitlines()[2] == test and len(functions) == 3
    assert str(load("line").variables) == "w: float32[]\nb: float32[]"
    assert str(functions["test"].inputs) == "x: float32[batch]"
    assert str(load("kinds").variables) == "<no variables>"
    assert functions == dict(functions) and "tset" not in functions and functions.get("tset") is None
    with pytest.raises(KeyError, match="no function 'tset', expected one of init, train, test"):
        functions["tset"]
    assert pickle.loads(pickle.dumps(functions)) == functions


def test_classes_have_their_public_names(line):
    with pytest.raises(tgc.CallError) as caught:
        line.run("test")
    assert traceback.format_exception_only(caught.value)[0].startswith("tgc.CallError: TG_ERROR")
    for name in tgc.__all__:
        if inspect.isclass(getattr(tgc, name)):
            assert repr(getattr(tgc, name)) == f"<class 'tgc.{name}'>"


def test_unknown_names_of_large_models():
    """Names that end like the unknown one, similar names, or the first ones."""
    names = [f"net/{layer}/{kind}" for layer in ("body", "head", "tail") for kind in ("bias", "gain", "weight")]
    rows = tgc._description.Table("variable", dict.fromkeys(names))
    for name, end in [("head/weight", "; did you mean 'net/head/weight'?"),
                      ("weight", "; did you mean 'net/body/weight' or 'net/head/weight' or 'net/tail/weight'?"),
                      ("net/hed/weight", "; did you mean 'net/head/weight' or "),
                      (1, ", expected one of net/body/bias, net/body/gain, ")]:
        with pytest.raises(KeyError) as caught:
            rows[name]
        assert caught.value.args[0].startswith(f"no variable {name!r}{end}")


def test_everything_public_is_documented():
    for name in tgc.__all__:
        thing = getattr(tgc, name)
        assert thing.__doc__, name
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"


def test_types_are_declared():
    package = pathlib.Path(tgc.__file__).parent
    stub = (package / "_runtime.pyi").read_text()
    assert (package / "py.typed").exists()
    for text in ["class Model:", "class Context:", "def run(self, function: str", "def load(path"]:
        assert text in stub
    tree = ast.parse(stub)
    known = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            known |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.ClassDef, ast.arg)):
            known.add(node.name if isinstance(node, ast.ClassDef) else node.arg)
    assert {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - known <= {"abi"}


def test_versions():
    root = pathlib.Path(__file__).parents[2]
    version = importlib.metadata.version("tgc")
    assert f"project(tg VERSION {version} " in (root / "CMakeLists.txt").read_text()
    assert tgc.__version__ == version
    assert run_module("--version") == f"tgc {version}\n"


def test_the_command_line(compiled):
    assert "usage: python -m tgc" in run_module()
    assert run_module("--describe", compiled("line")) == str(tgc.load(compiled("line"))) + "\n"
    assert [pathlib.Path(line).stem for line in run_module("--models").split()] == tgc.models.names()


def test_the_command_line_refuses_other_files(tmp_path):
    (tmp_path / "text").write_text("text")
    for path, reason in [("text", "TG_ERROR_FORMAT: "), ("none", "TG_ERROR_IO: ")]:
        # A short path, since messages shorten long ones.
        done = subprocess.run([sys.executable, "-m", "tgc", "--describe", path], text=True, capture_output=True,
                              cwd=tmp_path)
        assert done.returncode == 1 and done.stdout == ""
        assert done.stderr.startswith(f"error: {reason}'{path}': "), done.stderr


def test_programs_in_c_find_the_runtime(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(host C CXX)\n"
        "find_package(tg REQUIRED COMPONENTS Runtime)\nenable_testing()\n"
        "foreach(kind Runtime RuntimeStatic)\n"
        "  add_executable(${kind} host.c)\n  target_link_libraries(${kind} tg::${kind})\n"
        "  add_test(NAME ${kind} COMMAND ${kind})\nendforeach()\n")
    (tmp_path / "host.c").write_text(
        "#include <tg/runtime.h>\nint main(void) { return tg_runtime_abi() != TG_ABI_VERSION; }\n")
    directory = run_module("--cmake-dir").strip()
    for step in [["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-Dtg_DIR={directory}"],
                 ["cmake", "--build", tmp_path / "build"],
                 ["ctest", "--test-dir", tmp_path / "build"]]:
        done = subprocess.run(step, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not tgc.models.names(), reason="the target sample-models was not built")
def test_models_to_try():
    assert tgc.models.names() == ["char_lm", "digits"]
    sample = tgc.models.load("char_lm").functions["sample"]
    assert sample.inputs["tg.seed"].optional and "tg.seed" not in str(sample)
    first, second = (tgc.models.load("char_lm").context(seed=1).run(
        "sample", lines=2, temperature=0.5) for _ in range(2))
    assert first.length > 0 and bytes(first.text) == bytes(second.text)
    with pytest.raises(KeyError, match="no model 'none', expected one of"):
        tgc.models.path("none")


TEXT = """func.func @double(%x: tensor<2xf32> {tg.name = "x"}) -> (tensor<2xf32> {tg.name = "y"}) {
  %y = tg.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


def test_the_compiler(tmp_path):
    source = tmp_path / "double.mlir"
    source.write_text(TEXT)
    assert tgc.compile(source, levels=["v3", "v2"], O=1) == tmp_path / "double.so"
    x = numpy.ones(2, numpy.float32)
    assert tgc.load(tmp_path / "double.so").context().run("double", x=x).y.tolist() == [2, 2]
    with pytest.warns(tgc.CompileWarning, match="remark: trap-nan"):
        library = tgc.compile(text=TEXT, output=tmp_path / "text.so", levels="native",
                              trap_nan=True)
    assert tgc.load(library).name
    with pytest.raises(tgc.DataError, match="TG_ERROR_NAN"):
        tgc.load(library).context().run("double", x=[float("nan"), 1])
    for wrong in [(), ("a", "b")]:
        with pytest.raises(TypeError):
            tgc.compile(*wrong, text=TEXT if wrong else None)
    with pytest.raises(TypeError, match="expected an output"):
        tgc.compile(text=TEXT)


def test_a_part_of_a_model_does_not_replace_it(tmp_path):
    source = tmp_path / "double.mlir"
    source.write_text(TEXT)
    whole = tgc.compile(source, levels="native", functions=None, dim={}).read_bytes()
    for name, value in [("functions", ["double"]), ("keep", "double:y"), ("dim", {"n": 2}),
                        ("weights", "w.safetensors"), ("stop_after", "graph")]:
        with pytest.raises(TypeError, match=f"expected an output: with {name} .*double.so', the default"):
            tgc.compile(source, levels="native", **{name: value})
    assert (tmp_path / "double.so").read_bytes() == whole
    part = tgc.compile(source, tmp_path / "part.so", levels="native", functions=["double"])
    assert list(tgc.load(part).functions) == ["double"]


def test_diagnostics_of_the_compiler(tmp_path, monkeypatch):
    with pytest.raises(tgc.CompileError, match="<stdin>:2:.*unknown op 'tg.ad'|tg.ad"):
        tgc.compile(text=TEXT.replace("tg.add", "tg.ad"), output=tmp_path / "x.so")
    assert not (tmp_path / "x.so").exists()
    with pytest.raises(tgc.CompileError, match="none.mlir"):
        tgc.compile(tmp_path / "none.mlir")
    with pytest.warns(tgc.CompileWarning, match="no function uses input 'z'"):
        tgc.compile(text=TEXT.replace('"x"}', '"x"}, %z: tensor<f32> {tg.name = "z"}'),
                    output=tmp_path / "x.so", levels="native")
    monkeypatch.setenv("TGC", str(tmp_path / "none"))
    with pytest.raises(tgc.CompileError, match="none', which TGC names, was not found"):
        tgc.compile(text=TEXT, output=tmp_path / "x.so")
    monkeypatch.delenv("TGC")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tgc.CompileError, match="tgc was not found, expected the compiler on PATH"):
        tgc.compile(text=TEXT, output=tmp_path / "x.so")


def test_the_examples_of_the_page(compiled, tmp_path):
    """Runs the programs of the page of the wheel, and compares what they print."""
    root = pathlib.Path(__file__).parents[2]
    text = (root / "runtime" / "python" / "wheel.md").read_text()
    assert importlib.metadata.metadata("tgc").get_payload().strip() == text.strip()
    programs = re.findall(r"```python\n(.*?)```\n+```output\n(.*?)```", text, re.DOTALL)
    assert programs
    os.symlink(compiled("mlp"), tmp_path / "mlp.so")
    for program, output in programs:
        if "tgc.models" in program and not tgc.models.names():
            continue
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, text=True,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout == output
