// What a function does for given extents, on a given machine.

/// Which memory a value of a step is in: equal keys are equal memory.
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

/// A step that runs no kernel: it copies, or turns to the host.
function stepWithoutKernel(step) {
  const kind = step.host ? 'host' : 'copy';
  return {name: kind, strategy: kind, algorithm: step.host ?? kind};
}

function nameWithoutKernel(step) {
  return step.host ? `${step.host} "${step.text}"` : `copy to ${step.writes.map(describeOwner)}`;
}

/// What a step computes. Equal kernels of several layers are one, which has the
/// name of one of them: the layer of a step stands beside.
function titleOf(step) {
  return step.kernel ? step.kernel.split('__')[0] + (step.kernel.includes('_grad') ? ' (gradient)' : '')
                     : nameWithoutKernel(step);
}

/// Seconds that arithmetic and memory let a step take at least.
function predict(step, limits) {
  return Math.max(step.flops / limits.flops_per_second, step.bytes / limits.bytes_per_second);
}

/// The steps of a function with numbers in place of formulas.
function buildSteps(report, description, symbols, limits, profile) {
  const kernels = new Map((report.kernels ?? []).map(kernel => [kernel.name, kernel]));
  const measured = new Map((profile?.steps ?? []).map(step => [step.step, step]));
  const steps = (description.steps ?? []).map((step, number) => {
    const kernel = kernels.get(step.kernel) ?? stepWithoutKernel(step);
    const result = {
      number, kernel, name: step.kernel ?? nameWithoutKernel(step), title: titleOf(step), kind: kernel.strategy,
      algorithm: kernel.algorithm ?? kernel.strategy,
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

/// An edge for each buffer from the step that wrote it to each that reads it;
/// inputs come from, outputs go to nodes of their own.
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

/// The name that a step is collected under: "" stands alone.
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

/// How deep names of layers are nested.
function depthOfLayers(steps) {
  return steps.reduce((most, step) => Math.max(most, step.layer.split('/').length), 0);
}

const align = bytes => Math.max(64, Math.ceil(bytes / 64) * 64);

/// Where each buffer lies for these extents, and the sums of live bytes.
function buildMemory(description, symbols, threads) {
  const ends = new Map();
  const buffers = (description.buffers ?? []).map(buffer => {
    const bytes = evaluate(buffer.bytes, symbols), size = align(bytes);
    const offset = buffer.offset ??
        buffer.above.reduce((most, id) => Math.max(most, ends.get(id) ?? 0), 0);
    ends.set(buffer.id, offset + size);
    return {...buffer, bytes, size, offset};
  });
  const live = new Array((description.steps ?? []).length).fill(0);
  for (const buffer of buffers)
    for (let step = buffer.first_step; step <= buffer.last_step; ++step)
      live[step] += buffer.size;
  const lowerBound = live.reduce((most, bytes) => Math.max(most, bytes), 0);
  const arena = buffers.reduce((most, buffer) => Math.max(most, buffer.offset + buffer.size), 0);
  return {buffers, live, lowerBound, arena, workspace: sumWorkspace(description.workspace, arena, symbols, threads),
          peakStep: live.indexOf(lowerBound)};
}

/// What a caller gives a run of so many threads: the arena, and what kernels and
/// functions of the host need by themselves, of which the most counts. NaN where
/// the report does not say.
function sumWorkspace(workspace, arena, symbols, threads) {
  if (!workspace)
    return NaN;
  const least = formulas => Math.min(...formulas.map(formula => evaluate(formula, symbols)));
  const own = [...workspace.scratch.map(each => least(each.shared) + threads * least(each.per_worker)),
               ...workspace.staging.map(formula => evaluate(formula, symbols))];
  return arena + workspace.header_bytes + Math.max(0, ...own);
}
