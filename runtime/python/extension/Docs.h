/// Documentation and signatures of what Python sees.
#ifndef TG_RUNTIME_PYTHON_DOCS_H
#define TG_RUNTIME_PYTHON_DOCS_H

namespace tg::python::docs {

inline constexpr char model[] =
    R"(A loaded model. It may be used from any thread.

    >>> model = tgc.load("mlp.so")
    >>> context = model.context(seed=1)

`functions` and `variables` describe it.)";

inline constexpr char name[] = "The name of the model.";
inline constexpr char origin[] = "The path that the model was loaded from.";
inline constexpr char metadataSignature[] =
    "def metadata(self) -> dict[str, typing.Any]";
inline constexpr char metadata[] =
    "The compiler, its options and the costs of the model, as a dict.";

inline constexpr char functionsSignature[] = "def functions(self) -> "
                                             "typing.Mapping[str, Function]";
inline constexpr char functions[] =
    R"(The functions by name, with their inputs, outputs and symbols.)";
inline constexpr char variablesSignature[] = "def variables(self) -> "
                                             "typing.Mapping[str, Variable]";
inline constexpr char variables[] =
    R"(The variables by name, with their types, shapes and roles.)";

inline constexpr char contextSignature[] =
    "def context(self, *, threads: int | Pool = 1, seed: int | None = None, "
    "host: dict[str, typing.Callable[..., typing.Any]] | None = None, "
    "on_print: typing.Callable[[str, numpy.ndarray], None] | None = None, "
    "shared: bool = False, variables: SharedVariables | None = None, "
    "stream: int = 0) -> Context";
inline constexpr char context[] =
    R"(Makes a context: variables and working memory for one thread at a time.

Args:
    threads: The number of threads of a run, 0 for one per CPU, or a Pool.
    seed: Initializes the variables, and is the seed of random numbers. A model
        without its own values needs a seed, or a load() before it runs.
    host: The Python functions that the model calls by name. A function gets
        NumPy arrays, and returns an array, or a tuple with one for each result.
    on_print: Receives the label and the value of the prints of the model. By
        default they are printed.
    shared: The context has no variables. It reads those that Model.publish()
        published last.
    variables: A set of variables to share with contexts of other models.
    stream: For a model on a GPU, the CUstream of the runs, such as
        torch.cuda.Stream().cuda_stream. Arrays on the GPU need one.)";

inline constexpr char publish[] =
    R"(Publishes the weights of a context to all shared contexts in one step.)";

inline constexpr char saveSignature[] =
    "def save(self, snapshot: bytes, path: str | os.PathLike[str], "
    "entries: dict[str, str] = {}) -> None";
inline constexpr char saveBlock[] =
    R"(Saves a snapshot of a context as a checkpoint, with texts as metadata.

The context may train meanwhile on another thread.)";

inline constexpr char loadSignature[] =
    "def load(path: str | os.PathLike[str], *, device: str = 'cpu', "
    "target: str | None = None, without_trailer: bool = False, "
    "verify: typing.Callable[[bytes], bool] | None = None) -> Model";
inline constexpr char load[] =
    R"(Checks and loads a model that tgc compiled.

A library is code, so it must come from a source that you trust.

Args:
    path: The file.
    device: `"cpu"`, or `"cuda:0"` for a GPU, whose memory then has the
        variables.
    target: The level of the CPU, such as `"x86-64-v3"`. Default: the best one.
    without_trailer: Accepts a file without checksums, such as a stripped one.
    verify: Gets the bytes of the file before any is mapped, and returns False
        to refuse it, for example because of a missing signature.)";

inline constexpr char loadBytesSignature[] =
    "def load_bytes(content: bytes, *, device: str = 'cpu', "
    "target: str | None = None, without_trailer: bool = False, "
    "verify: typing.Callable[[bytes], bool] | None = None) -> Model";
inline constexpr char loadBytes[] =
    "Loads a model from the bytes of its file, as load() does.";

inline constexpr char entriesSignature[] =
    "def checkpoint_entries(path: str | os.PathLike[str]) -> dict[str, str]";
inline constexpr char entries[] =
    R"(Checks a whole checkpoint by its hashes, and returns its texts.)";

inline constexpr char pool[] =
    R"(Threads that several contexts share. 0: one per CPU.

A context that finds them busy runs on its own thread, and never waits.)";
inline constexpr char poolThreads[] = "The number of threads.";
inline constexpr char sharedVariables[] =
    R"(A set of variables that contexts of several models share.

One model may train, and another one, compiled from the same program, infer.
With start_at_zero, variables without a value are 0 rather than an error.)";

inline constexpr char contextClass[] =
    R"(The variables and working memory of a model, for one thread at a time.

Model.context() makes one. A second thread that uses it at the same time gets
tgc.BusyError. While the model computes, other Python threads run.)";
inline constexpr char contextVariablesSignature[] =
    "def variables(self) -> typing.MutableMapping[str, numpy.ndarray]";
inline constexpr char contextVariables[] =
    R"(The variables as a mapping. Reading copies, and assigning sets one.

    >>> context.variables["b1"] = numpy.zeros(100, numpy.float32))";
inline constexpr char contextModel[] = "The model.";

inline constexpr char runSignature[] =
    "def run(self, function: str, inputs: "
    "typing.Mapping[str, typing.Any] | None = None, /, *, "
    "out: typing.Mapping[str, typing.Any] | None = None, "
    "**named: typing.Any) -> Outputs";
inline constexpr char run[] =
    R"(Runs a function on inputs given by name, and returns its outputs by name.

    >>> context.run("train", x=images, label=labels, learning_rate=1e-3).loss

Inputs are NumPy arrays, arrays with DLPack such as tensors of torch and JAX,
which are read without a copy, numbers, or lists of numbers. Arrays must have
the element type of the input, and compact rows: others raise tgc.CallError.
Inputs whose names are no Python names go into the mapping `inputs`.

Outputs are NumPy arrays that own their memory, and NumPy numbers for scalars.
`out` maps names of outputs to arrays that the run writes instead.)";

inline constexpr char beginSignature[] =
    "def begin(self, function: str, inputs: "
    "typing.Mapping[str, typing.Any] | None = None, /, *, "
    "out: typing.Mapping[str, typing.Any] | None = None, "
    "**named: typing.Any) -> Run";
inline constexpr char begin[] =
    R"(Begins a run with the arguments of run(), and returns it.

    >>> run = context.begin("train", x=images, label=labels)
    >>> images, labels = next(batches)
    >>> loss = run.finish().loss

On a GPU the model computes until Run.finish(), while Python does other work. A
run on the CPU has ended when begin() returns. Until finish() the context is in
use, arrays of the run must not change, and those of `out` have no values yet.
The run keeps them alive. Failures are exceptions here or of finish().)";

inline constexpr char profileSignature[] =
    "def profile(self, function: str, inputs: "
    "typing.Mapping[str, typing.Any] | None = None, /, *, "
    "out: typing.Mapping[str, typing.Any] | None = None, "
    "**named: typing.Any) -> Profile";
inline constexpr char profile[] =
    R"(Runs a function as run() does, and records the time of each of its steps.

    >>> print(context.profile("train", x=images, label=labels))

The first run of a context also prepares memory, so profile a later one.)";

inline constexpr char traceSignature[] =
    "def trace(self, function: str, "
    "record: typing.Callable[[Step, numpy.ndarray], object], inputs: "
    "typing.Mapping[str, typing.Any] | None = None, /, *, "
    "out: typing.Mapping[str, typing.Any] | None = None, "
    "**named: typing.Any) -> Outputs";
inline constexpr char trace[] =
    R"(Runs a function as run() does, and passes the results of its steps on.

    >>> def record(step, values):
    ...     print(step.ops, numpy.isnan(values).any())
    >>> context.trace("test", record, x=images)

`record` gets each step with a copy of the elements of a result, a flat array:
in the order of the program, once for each result, and also before a run fails.
An exception of `record` is raised after the run. On the CPU only.)";

inline constexpr char runClass[] =
    R"(A run that Context.begin() began.

A run that is dropped without finish() is waited for, and has no outputs.)";
inline constexpr char finishSignature[] = "def finish(self) -> Outputs";
inline constexpr char finish[] =
    R"(Waits for the end of the run, and returns its outputs by name.

Other Python threads run meanwhile, and any thread may call it, once. After a
failure, which is raised, the run has ended too.)";

inline constexpr char initSignature[] = "def init(self, seed: int) -> None";
inline constexpr char init[] =
    "Sets all variables from a seed, and the seed of random numbers.";
inline constexpr char setSeedSignature[] =
    "def set_seed(self, seed: int) -> None";
inline constexpr char setSeed[] =
    R"(Sets the seed of random numbers in functions that change no variable.)";
inline constexpr char contextSaveSignature[] =
    "def save(self, path: str | os.PathLike[str], "
    "entries: dict[str, str] = {}) -> None";
inline constexpr char save[] =
    R"(Saves all variables as a safetensors file, in one atomic step.

Args:
    path: The file.
    entries: Texts for the metadata, which tgc.checkpoint_entries() returns.)";
inline constexpr char contextLoadSignature[] =
    "def load(self, path: str | os.PathLike[str], *, "
    "ignore_others: bool = False, renames: dict[str, str] = {}, "
    "strip_prefix: str = '', add_prefix: str = '') -> None";
inline constexpr char contextLoad[] =
    R"(Loads all variables from a safetensors file. A failure changes none.

Args:
    path: The file.
    ignore_others: Ignores tensors of the file that are no variables.
    renames: Maps tensors of the file to variables of other names. `".T"` after
        the name of a variable: the file has the transposed matrix.
    strip_prefix: A prefix that is removed from the other names.
    add_prefix: Replaces the prefix that is removed.)";
inline constexpr char snapshot[] =
    R"(Returns a copy of all variables, with the state of the optimizer.)";
inline constexpr char restore[] =
    "Sets all variables from a snapshot of a context of the same layout.";
inline constexpr char getSignature[] =
    "def get(self, variable: str) -> numpy.ndarray";
inline constexpr char get[] = "Returns a copy of a variable.";
inline constexpr char setSignature[] =
    "def set(self, variable: str, value: typing.Any) -> None";
inline constexpr char set[] = "Sets a variable from an array.";

} // namespace tg::python::docs

#endif // TG_RUNTIME_PYTHON_DOCS_H
