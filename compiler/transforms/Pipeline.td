//===- Pipeline.td - phases and the order of their passes -----------------===//
//
// C++ code here may use `options`, the CompileOptions. The driver includes the
// table that LLVM's backend -gen-searchable-tables generates.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_PIPELINE_TD
#define TG_COMPILER_TRANSFORMS_PIPELINE_TD

include "llvm/TableGen/SearchableTable.td"
include "mlir/Pass/PassBase.td"

/// Adds a pass to `passes`, an OpPassManager of modules, if `condition` holds.
class Step<string function, string pass, string condition> {
  string statement = "if (" # condition # ") passes." # function # "(" # pass #
                     ");";
}

/// Runs a pass of this directory. `values` initializes its options.
class Run<PassBase pass, string values = "", string condition = "true">
    : Step<!if(!eq(pass.baseClass,
                   "::mlir::OperationPass<::mlir::func::FuncOp>"),
               "addNestedPass<::mlir::func::FuncOp>", "addPass"),
           "create" # !cast<string>(pass) # "(" #
               !if(!empty(values), "",
                   !cast<string>(pass) # "Options{" # values # "}") # ")",
           condition>;

/// Runs a pass of MLIR, which the C++ expression `pass` creates.
class RunMlir<string pass> : Step<"addPass", pass, "true">;

/// A phase, which is the enumerator of the same name of the enum Phase. The
/// summary says what holds after it, as `tgc --help` prints it. Phases without
/// steps do not transform the module, they make something new. The numbers
/// order the table of phases.
class PipelinePhase<bits<8> itsNumber, string itsName, string itsSummary,
                    list<Step> steps = []> {
  bits<8> number = itsNumber;
  string phase = "Phase::" # itsName;
  string name = itsName;
  string summary = itsSummary;
  string addPasses = "[](::mlir::OpPassManager &passes, "
                     "const CompileOptions &options) {" #
                     !foldl("", steps, all, step, all # step.statement) # "}";
}

// Checks rules that verifiers of single ops cannot see. Inlines calls, so that
// every function can be read from top to bottom. Removes functions and outputs
// that were not requested.
def GraphPhase
    : PipelinePhase<1, "graph", "one verified module of tg ops", [
  Run<CheckModule>,
  Run<InlineCalls>,
  Run<SelectFunctions, ".functions = options.functions, .keep = options.keep">
]>;

// Binds named extents to their sizes. Every extent becomes a number or an
// expression over extents of inputs.
def ShapesPhase
    : PipelinePhase<2, "shapes", "extents are numbers or follow from inputs", [
  Run<InferShapes, ".dims = options.dims">
]>;

// Expands requests for gradients to the ops that compute them.
def GradPhase : PipelinePhase<3, "grad", "gradients are ordinary ops", [
  Run<ExpandGradients>
]>;

// Trims dead nodes first, to avoid folding them in vain, and again after
// folding and CSE, which leave ops without users. The remaining variables get
// their values. The program is final and gets its hash.
def TrimPhase
    : PipelinePhase<4, "trim", "only what outputs and updates need", [
  Run<TrimDeadNodes, ".keepVariables = options.keepVariables">,
  Run<FoldConstants>,
  RunMlir<"::mlir::createCSEPass()">,
  Run<TrimDeadNodes, ".keepVariables = options.keepVariables">,
  Run<EmbedWeights, ".file = options.weights">,
  Run<IdentifyProgram>
]>;

// Decides what affects rounding, before the target is known. First moves state
// out of regions, turns data-dependent extents into symbols, and computes the
// products of all iterations of a loop at once, which changes sums.
def NumericsPhase
    : PipelinePhase<5, "numerics", "every sum has an order", [
  Run<LiftState>,
  Run<MeasureExtents>,
  Run<SplitScans>,
  Run<UpdateRows>,
  Run<StateOrders, ".convAlgorithm = options.convAlgorithm">,
  Run<CreatePlans, ".kinds = llvm::SmallVector<std::string>("
                   "options.kinds.begin(), options.kinds.end()), "
                   ".optimization = unsigned(options.optimization), "
                   ".precision = options.precision">
]>;

// Lowers checks and decompositions to plain ops. Then moves every op into a
// kernel. Kernels write concatenated values in place.
//
// The next phase fails if there is a memory budget and extents are dynamic. If
// this phase is the last one, it makes this check.
def FusePhase
    : PipelinePhase<6, "fuse", "every computing op is in a kernel", [
  Run<TrapNan, ".nanOnly = options.trapNan == \"nan\"",
      "!options.trapNan.empty()">,
  Run<PrepareKernels>,
  Run<DivideReductions, "", "options.optimization >= 1">,
  RunMlir<"::mlir::createCSEPass()">,
  Run<JoinConcatenations, "", "options.optimization >= 1">,
  Run<FuseKernels, ".fuse = options.optimization >= 1">,
  Run<PackWeights>,
  Run<PlaceParts>,
  Run<Rematerialize, ".budget = options.memoryBudget, .onlyChecks = true",
      "options.memoryBudget && options.stopAfter == Phase::fuse">
]>;

// Rematerializes values that exceed the memory budget. Independent loops share
// a launch if the target wants it. Functions become launches over buffers.
def SchedulePhase
    : PipelinePhase<7, "schedule", "launches in order over planned memory", [
  Run<Rematerialize, ".budget = options.memoryBudget">,
  Run<JoinLoops, "", "options.optimization >= 1">,
  Run<Schedule>,
  Run<NonTemporalOutputs>,
  Run<KnownAlignments>
]>;

def KernelsPhase
    : PipelinePhase<8, "kernels", "kernels are loops, vectors and arithmetic">;
def ObjectPhase
    : PipelinePhase<9, "object", "machine code for one target">;
def LibraryPhase
    : PipelinePhase<10, "library", "model.so, or model.o to link statically">;

def phases : GenericTable {
  let FilterClass = "PipelinePhase";
  let CppTypeName = "PhaseInfo";
  let Fields = ["number", "phase", "name", "summary", "addPasses"];
  string TypeOf_phase = "code";
  string TypeOf_addPasses = "code";
}

#endif // TG_COMPILER_TRANSFORMS_PIPELINE_TD
