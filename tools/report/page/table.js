// The kernels of a function as a table: sorted, filtered, grouped by layer.

const columns = [
  {key: 'number', title: '#', number: true, text: step => step.number},
  {key: 'name', title: 'Kernel', cell: step => element('td', {class: 'name', title: step.name},
      element('i', {class: `dot ${step.kind}`}), element('code', {}, breakable(step.title)))},
  {key: 'share', title: 'Share', number: true, predicted: true, cell: step => shareCell(step.share)},
  {key: 'measuredShare', title: 'Share', number: true, measured: true, cell: step => shareCell(step.measuredShare)},
  {key: 'seconds', title: 'Measured', number: true, measured: true, text: step => formatSeconds(step.seconds)},
  {key: 'predicted', title: 'Predicted', number: true, text: step => formatSeconds(step.predicted)},
  {key: 'reached', title: 'Of limit', number: true, measured: true, text: step => formatShare(step.reached)},
  {key: 'bound', title: 'Bound by', text: step => step.bound},
  {key: 'algorithm', title: 'Algorithm', text: step => step.algorithm},
  {key: 'order', title: 'Order of sums', text: step => step.orders.join('; '), code: true, wide: true},
  {key: 'flops', title: 'FLOPs', number: true, text: step => formatCount(step.flops)},
  {key: 'bytes', title: 'Bytes', number: true, text: step => formatBytes(step.bytes)},
  {key: 'intensity', title: 'FLOP/byte', number: true,
   text: step => Number.isFinite(step.intensity) ? step.intensity.toPrecision(3) : '–'},
  {key: 'layer', title: 'Layers', wide: true, text: step => step.layers.join(', ')},
  {key: 'line', title: 'Source', wide: true, text: step => shortLines(step.lines), code: true},
  {key: 'shape', title: 'Result', text: step => step.writes.map(formatType).join(', '), code: true, wide: true},
];

/// Returns a name that may be broken between its words.
function breakable(name) {
  return name.split(/(?<=[_/])/).flatMap(word => [word, element('wbr', {})]);
}

function shareCell(share) {
  return element('td', {class: 'number'},
      element('span', {class: 'share'}, element('i', {style: `width:${Math.min(1, share || 0) * 100}%`})),
      element('span', {class: 'percent'}, formatShare(share)));
}

/// Returns the first line and the number of further lines.
function shortLines(lines) {
  const name = lines[0]?.split('/').pop() ?? '';
  return lines.length > 1 ? `${name} +${lines.length - 1}` : name;
}

function matches(step, filter) {
  const text = [step.name, step.algorithm, step.kind, ...step.layers, ...step.lines, ...step.ops,
                ...step.reads.map(describeOwner), ...step.writes.map(describeOwner)].join(' ').toLowerCase();
  return filter.toLowerCase().split(/\s+/).every(word => text.includes(word));
}

function sortSteps(steps, {key, descending}) {
  const valueOf = step => key === 'line' ? step.lines[0] ?? '' : key === 'order' ? step.orders.join()
      : key === 'shape' ? step.writes.map(formatType).join() : step[key] ?? '';
  const order = (a, b) => typeof a === 'number' && typeof b === 'number'
      ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true});
  return [...steps].sort((a, b) =>
      (descending ? -1 : 1) * order(valueOf(a), valueOf(b)) || a.number - b.number);
}

/// Returns one row for the steps of a layer.
function sumOf(name, steps) {
  const sum = key => steps.reduce((total, step) => total + (step[key] ?? 0), 0);
  const flops = sum('flops'), bytes = sum('bytes'), hasTimes = steps[0].seconds !== undefined;
  return {
    ...steps[0], name: name || 'no layer', title: name || 'no layer', layers: [], lines: [], writes: [], orders: [],
    kind: steps.every(step => step.kind === steps[0].kind) ? steps[0].kind : 'several',
    layer: name, algorithm: `${steps.length} kernel${steps.length > 1 ? 's' : ''}`,
    flops, bytes, intensity: bytes ? flops / bytes : NaN, predicted: sum('predicted'),
    share: sum('share'), bound: '', seconds: hasTimes ? sum('seconds') : undefined,
    measuredShare: hasTimes ? sum('measuredShare') : undefined,
    reached: hasTimes ? sum('predicted') / sum('seconds') : undefined, members: steps,
  };
}

function detailRow(step, count) {
  const list = values => values.map(value =>
      element('div', {class: 'code'}, `${describeOwner(value)}: ${formatType(value)}`));
  const entry = (title, content) => [element('dt', {}, title), element('dd', {}, content)];
  return element('tr', {class: 'detail'}, element('td', {colspan: count}, element('dl', {},
      entry('Name', element('div', {class: 'code'}, step.name)), entry('Ops', step.ops.join(', ')), entry('Strategy', step.kind),
      entry('Layers', step.layers.join(', ') || '–'),
      entry('Lines', step.lines.map(line => element('div', {class: 'code'}, line))),
      entry('Reads', list(step.reads)), entry('Writes', list(step.writes)),
      entry('Launches', String(step.kernel.launches ?? 1)))));
}

function stepRow(step, shown, state, indent) {
  const cells = shown.map(column => column.cell ? column.cell(step)
      : element('td', {class: column.number ? 'number' : column.wide ? 'wide' : '',
                                       title: column.wide && column.text(step)},
          column.code ? element('code', {}, column.text(step)) : String(column.text(step))));
  if (indent)
    cells[1].style.paddingLeft = '41px';
  return element('tr', {
    class: step.members ? 'group' : step.number === state.selected ? 'selected' : '',
    'data-step': step.members ? undefined : step.number, 'data-flops': step.flops, 'data-bytes': step.bytes,
    onclick: () => step.members ? state.toggle(step.layer) : state.select(step.number),
  }, cells);
}

function buildTable(steps, state) {
  const shown = columns.filter(column => state.hasProfile ? !column.predicted : !column.measured);
  const found = steps.filter(step => matches(step, state.filter));
  const rows = [];
  const addStep = (step, indent) => {
    rows.push(stepRow(step, shown, state, indent));
    if (step.number === state.selected)
      rows.push(detailRow(step, shown.length));
  };
  if (state.byLayer) {
    const groups = Map.groupBy(found, step => step.layer);
    const sums = [...groups].map(([name, members]) => sumOf(name, members));
    for (const sum of sortSteps(sums, state.sort)) {
      rows.push(stepRow(sum, shown, state));
      if (state.open.has(sum.layer))
        sortSteps(sum.members, state.sort).forEach(step => addStep(step, true));
    }
  } else {
    sortSteps(found, state.sort).forEach(step => addStep(step, false));
  }
  const head = shown.map(column => element('th', {
    class: column.number ? 'number' : '', 'data-key': column.key,
    onclick: () => state.sortBy(column.key, Boolean(column.number) && column.key !== 'number'),
  }, column.title + (state.sort.key === column.key ? (state.sort.descending ? ' ↓' : ' ↑') : '')));
  return element('table', {}, element('thead', {}, element('tr', {}, head)), element('tbody', {}, rows));
}
