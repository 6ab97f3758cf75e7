// The steps, edges and memory of a function for given extents and machine
// limits.

/// Returns the memory of a value of a step. Equal keys denote the same memory.
function ownerOf(value) {
  for (const kind of ['workspace', 'input', 'output', 'variable', 'packed', 'constant'])
    if (kind in value)
      return {kind, name: value[kind], key: `${kind}:${value[kind]}`};
  return {kind: '', name: '', key: ''};
}

function describeOwner(value) {
  const {kind, name} = ownerOf(value);
  return kind === 'workspace' ? `buffer ${name}` : kind === 'constant' ? kind : `${kind} ${name}`;
}

/// Returns a description, in place of a kernel, for a step that copies, calls
/// the host, or launches a CUDA kernel of the model.
function stepWithoutKernel(step) {
  const kind = step.cuda_kernel ? 'cuda_call' : step.host ? 'host' : 'copy';
  return {name: kind, strategy: kind, algorithm: step.host ?? kind};
}

function nameWithoutKernel(step) {
  if (step.cuda_kernel)
    return step.cuda_kernel;
  return step.host ? `${step.host} "${step.text}"` : `copy to ${step.writes.map(describeOwner)}`;
}

/// Returns the title of a step: its ops without the layer. Equal kernels of
/// several layers are one kernel, named after one of these layers, so the layer
/// of the step is shown separately.
function titleOf(step) {
  return step.kernel ? step.kernel.split('__')[0] + (step.kernel.includes('_grad') ? ' (gradient)' : '')
                     : nameWithoutKernel(step);
}

/// Returns the lower bound of the seconds of a step, by arithmetic and memory.
function predict(step, limits) {
  return Math.max(step.flops / limits.flops_per_second, step.bytes / limits.bytes_per_second);
}

/// Returns the steps of a function, with the formulas evaluated.
function buildSteps(report, description, symbols, limits, profile) {
  const kernels = new Map((report.kernels ?? []).map(kernel => [kernel.name, kernel]));
  const measured = new Map((profile?.steps ?? []).map(step => [step.step, step]));
  const steps = (description.steps ?? []).map((step, number) => {
    const kernel = kernels.get(step.kernel) ?? stepWithoutKernel(step);
    const result = {
      number, kernel, name: step.kernel ?? nameWithoutKernel(step), title: titleOf(step), kind: kernel.strategy,
      algorithm: kernel.algorithm ?? kernel.strategy, orders: kernel.orders ?? [],
      layers: step.layers ?? kernel.layers ?? [], lines: step.lines ?? kernel.lines ?? [], ops: kernel.ops ?? [],
      reads: step.reads ?? [], writes: step.writes ?? [],
      flops: evaluate(step.flops ?? 0, symbols),
      bytes: evaluate(step.traffic_bytes ?? 0, symbols),
    };
    result.intensity = result.bytes ? result.flops / result.bytes : NaN;
    result.predicted = predict(result, limits);
    result.bound = result.flops / limits.flops_per_second >= result.bytes / limits.bytes_per_second
        ? 'arithmetic' : 'memory';
    result.seconds = measured.get(number)?.seconds;
    result.layer = result.layers[0] ?? '';
    return result;
  });
  const predicted = steps.reduce((sum, step) => sum + step.predicted, 0);
  for (const step of steps) {
    step.share = predicted ? step.predicted / predicted : 0;
    if (step.seconds !== undefined) {
      step.measuredShare = profile.seconds ? step.seconds / profile.seconds : 0;
      step.reached = step.seconds ? step.predicted / step.seconds : NaN;
    }
  }
  return steps;
}

/// Returns an edge for each buffer from the step that wrote it to each step
/// that reads it. Inputs and outputs have nodes of their own.
function buildEdges(steps) {
  const edges = [], writers = new Map(), values = new Map();
  const valueNode = (value, owner) => {
    if (!values.has(owner.key))
      values.set(owner.key, {id: owner.key, name: owner.name, kind: 'value', value, owner});
    return owner.key;
  };
  for (const step of steps) {
    for (const read of step.reads) {
      const owner = ownerOf(read);
      if (writers.has(owner.key))
        edges.push({from: writers.get(owner.key), to: step.number, value: read});
      else if (owner.kind === 'input')
        edges.push({from: valueNode(read, owner), to: step.number, value: read});
    }
    for (const write of step.writes) {
      const owner = ownerOf(write);
      writers.set(owner.key, step.number);
    }
  }
  for (const step of steps)
    for (const write of step.writes) {
      const owner = ownerOf(write);
      if (owner.kind === 'output' && writers.get(owner.key) === step.number)
        edges.push({from: step.number, to: valueNode(write, owner), value: write});
    }
  return {edges, values: [...values.values()]};
}

/// Returns the name of the group of a step; "" if the step has a node of its
/// own.
function groupOf(step, grouping) {
  if (grouping === 'kernels')
    return '';
  if (!step.layer)
    return step.kernel.name;
  const gradient = step.name.includes('_grad') ? ' (gradient)' : '';
  if (grouping === 'layers')
    return step.layer + gradient;
  return step.layer.split('/').slice(0, Number(grouping)).join('/') + gradient;
}

/// Returns the maximum nesting of layer names.
function depthOfLayers(steps) {
  return steps.reduce((max, step) => Math.max(max, step.layer.split('/').length), 0);
}

const align = bytes => Math.max(64, Math.ceil(bytes / 64) * 64);

/// Returns the offset of each buffer for these extents, and the live bytes of
/// each step.
function buildMemory(description, symbols, threads) {
  const ends = new Map();
  const buffers = (description.buffers ?? []).map(buffer => {
    const bytes = evaluate(buffer.bytes, symbols), size = align(bytes);
    const offset = buffer.offset ??
        buffer.above.reduce((max, id) => Math.max(max, ends.get(id) ?? 0), 0);
    ends.set(buffer.id, offset + size);
    return {...buffer, bytes, size, offset};
  });
  const live = new Array((description.steps ?? []).length).fill(0);
  for (const buffer of buffers)
    for (let step = buffer.first_step; step <= buffer.last_step; ++step)
      live[step] += buffer.size;
  const lowerBound = live.reduce((max, bytes) => Math.max(max, bytes), 0);
  const arena = buffers.reduce((max, buffer) => Math.max(max, buffer.offset + buffer.size), 0);
  return {buffers, live, lowerBound, arena, workspace: sumWorkspace(description.workspace, arena, symbols, threads),
          peakStep: live.indexOf(lowerBound)};
}

/// Returns the size of the workspace that the caller allocates for a run with
/// this number of threads: the header, the arena, copies of inputs and outputs on
/// a device, and the maximum of the memory that a single kernel or host function
/// needs. Returns NaN if the report does
/// not have it.
function sumWorkspace(workspace, arena, symbols, threads) {
  if (!workspace)
    return NaN;
  const minimum = formulas => Math.min(...formulas.map(formula => evaluate(formula, symbols)));
  const own = [...workspace.scratch.map(each => minimum(each.shared) + threads * minimum(each.per_worker)),
               ...workspace.staging.map(formula => evaluate(formula, symbols))];
  const copies = workspace.copies.reduce((sum, formula) => sum + evaluate(formula, symbols), 0);
  return arena + workspace.header_bytes + copies + Math.max(0, ...own);
}
