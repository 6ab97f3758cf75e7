// The page: the shown function and view, and the controls of the reader.

const report = JSON.parse(document.getElementById('report').textContent);
/// The arithmetic and memory limits of about one core, with which times are
/// predicted if no machine was measured.
const defaultLimits = {flops_per_second: 100e9, bytes_per_second: 20e9};
/// The initial value of dynamic extents, for which memory plans are made.
const plannedExtent = 64;
/// The maximum number of kernels that the graph initially shows one by one. If
/// there are more, it initially shows layers.
const maxNodes = 150;

const state = {
  description: null, profile: null, symbols: new Map(), limits: defaultLimits,
  filter: '', byLayer: false, open: new Set(), sort: {key: 'number', descending: false},
  grouping: 'kernels', zoom: 0, selected: -1, hasProfile: false, near: () => {},
  width: 1000,
  select(number) {
    this.selected = this.selected === number ? -1 : number;
    drawAll();
    document.querySelector('.scroll tr.selected')?.scrollIntoView({block: 'nearest'});
    document.querySelector('.node.selected')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  },
  toggle(layer) {
    if (!this.open.delete(layer))
      this.open.add(layer);
    drawTable();
  },
  sortBy(key, descends) {
    this.sort = this.sort.key === key ? {key, descending: !this.sort.descending} : {key, descending: descends};
    drawTable();
  },
};

const parts = {
  tiles: element('div', {class: 'tiles'}), controls: element('div', {class: 'row grow'}),
  table: element('div', {class: 'scroll'}), graph: element('div', {class: 'scroll'}),
  memory: element('div'), signature: element('div'),
};
let steps = [], memory = null;

/// Shows a function, with its profile if there is one.
function choose(name) {
  const description = report.functions.find(each => each.name === name) ?? report.functions[0];
  state.description = description;
  state.profile = (report.profiles ?? []).find(profile => profile.function === description.name) ?? null;
  state.hasProfile = Boolean(state.profile);
  const known = state.profile?.symbols ?? {};
  state.symbols = new Map((description.symbols ?? []).map(symbol => [symbol, known[symbol] ?? plannedExtent]));
  const measured = state.profile?.limits;
  state.limits = measured?.flops_per_second > 0 && measured?.bytes_per_second > 0 ? {...measured} : {...defaultLimits};
  state.selected = -1;
  state.open.clear();
  state.grouping = (description.steps ?? []).length > maxNodes ? 'layers' : 'kernels';
  state.zoom = 0;
  drawControls();
  drawAll();
}

function numberInput(label, value, change) {
  return element('label', {}, label, element('input', {type: 'number', min: 0, step: 'any', value,
    onchange: event => { change(Number(event.target.value)); drawAll(); }}));
}

function drawControls() {
  const {limits, description} = state;
  const functions = element('select', {id: 'function', onchange: event => choose(event.target.value)},
      report.functions.map(each => element('option', {value: each.name, selected: each === description}, each.name)));
  const symbols = [...state.symbols].map(([name, value]) =>
      numberInput(name, value, number => state.symbols.set(name, number)));
  const rate = key => number => { limits[key] = number * 1e9; };
  parts.controls.replaceChildren(element('label', {}, 'function', functions), ...symbols,
      numberInput('GFLOP/s', round(limits.flops_per_second / 1e9), rate('flops_per_second')),
      numberInput('GB/s', round(limits.bytes_per_second / 1e9), rate('bytes_per_second')),
      element('span', {class: 'soft'}, state.hasProfile ? describeProfile(state.profile)
          : 'assumed limits: enter the limits of your machine'));
}

function describeThreads(count) {
  return `${count} thread${count === 1 ? '' : 's'}`;
}

function describeProfile(profile) {
  const extents = Object.entries(profile.symbols).map(([name, value]) => `, ${name} = ${value}`).join('');
  return `as measured: ${describeThreads(profile.threads)}${extents}`;
}

const round = number => Number(number.toPrecision(4));

function drawTiles() {
  const {description, profile} = state;
  const sum = key => steps.reduce((total, step) => total + step[key], 0);
  // Bytes may be in a cache; arithmetic exceeds its limit only for these reasons.
  const isBusy = profile && steps.some(step => step.flops > 1.05 * state.limits.flops_per_second * step.seconds);
  const tiles = [
    [String(steps.length), 'launches and copies'],
    [formatCount(sum('flops')), 'FLOPs'], [formatBytes(sum('bytes')), 'memory traffic, lower bound'],
    [formatSeconds(sum('predicted')), 'predicted at these limits'],
    profile && [formatSeconds(profile.seconds), `measured, mean of ${profile.runs} run${profile.runs === 1 ? '' : 's'}`],
    profile && [formatShare(sum('predicted') / profile.seconds), 'of the limits reached'],
    isBusy && ['over 100 %', 'of GFLOP/s: the machine was busy while they were measured; measure again (or Winograd did less than is counted)'],
    memory.buffers.length && [formatBytes(memory.arena), 'arena: buffers between kernels'],
    memory.buffers.length && [formatBytes(memory.lowerBound), 'peak of live buffers'],
    Number.isFinite(memory.workspace) &&
        [formatBytes(memory.workspace), `workspace of a run: arena and scratch of ${describeThreads(profile?.threads ?? 1)}`],
    [formatBytes(description.slab_bytes), 'variables'],
    report.packed_bytes && [formatBytes(report.packed_bytes), 'packed weights'],
    report.file_bytes && [formatBytes(report.file_bytes), 'library'],
  ];
  parts.tiles.replaceChildren(...tiles.filter(Boolean).map(([value, label]) =>
      element('div', {class: 'tile'}, element('b', {}, value), element('span', {}, label))));
}

function drawTable() {
  parts.table.replaceChildren(buildTable(steps, state));
}

function drawGraph() {
  if (!steps.some(step => step.writes.length)) {
    parts.graph.replaceChildren(element('p', {class: 'soft'},
        'The graph needs the report of the compiler: tgc --report=FILE, then tgc-run --report=FILE.'));
    return;
  }
  const picture = buildGraphPicture(steps, {...state, zoom: state.zoom || 1, select: number => state.select(number)});
  const isFresh = !state.zoom;
  if (isFresh) {
    state.zoom = Math.min(maxZoom, Math.max(minZoom, (state.width - 18) / Number(picture.dataset.width)));
    for (const side of ['width', 'height'])
      picture.setAttribute(side, Number(picture.getAttribute(side)) * state.zoom);
  }
  parts.graph.replaceChildren(picture);
  if (isFresh)
    parts.graph.scrollTo(0, 0);
}

function drawMemory() {
  parts.memory.replaceChildren(memory.buffers.length ? buildMemoryPicture(memory, steps, state)
      : element('p', {class: 'soft'}, state.description.buffers
          ? 'No buffers: all results of this function are outputs or variables.'
          : 'The memory plan needs the report of the compiler: tgc --report=FILE, then tgc-run --report=FILE.'));
}

function drawAll() {
  state.width = parts.table.clientWidth || 1000;
  steps = buildSteps(report, state.description, state.symbols, state.limits, state.profile);
  memory = buildMemory(state.description, state.symbols, state.profile?.threads ?? 1);
  drawTiles();
  drawTable();
  drawGraph();
  drawMemory();
  drawSignature();
}

function drawSignature() {
  const rows = (title, values) => values.map(value => element('tr', {},
      element('td', {}, title), element('td', {}, element('code', {}, value.name)),
      element('td', {}, element('code', {}, formatType(value)))));
  parts.signature.replaceChildren(element('table', {}, element('tbody', {},
      rows('input', state.description.inputs ?? []), rows('output', state.description.outputs ?? []))));
}

function zoomBy(factor) {
  state.zoom = Math.min(2, Math.max(0.1, state.zoom * factor));
  drawGraph();
}

function groupingSelect() {
  const depth = Math.max(...report.functions.map(each =>
      depthOfLayers(buildSteps(report, each, new Map(), defaultLimits, null))));
  const options = [['kernels', 'kernels'], ['layers', 'layers']];
  for (let level = depth - 1; level >= 1; --level)
    options.push([String(level), `${level} part${level > 1 ? 's' : ''} of the name`]);
  const select = element('select', {onchange: event => { state.grouping = event.target.value; state.zoom = 0; drawGraph(); }},
      options.map(([value, text]) => element('option', {value}, text)));
  return select;
}

function legend() {
  const kinds = {contraction: 'contraction', reduction: 'reduction', loop: 'element by element', custom: 'special kernel', copy: 'copy, or several'};
  return element('div', {class: 'legend'}, Object.entries(kinds).map(([kind, text]) =>
      element('span', {}, element('i', {class: `dot ${kind}`}), text)));
}

function buildPage() {
  const grouping = groupingSelect();
  const section = (title, tools, ...content) => element('section', {},
      element('div', {class: 'row head'}, element('h2', {}, title), tools), content);
  const about = [report.compiler, report.flags].filter(Boolean).join(', ');
  document.title = `${report.model} – tgc report`;
  document.body.append(
      element('header', {}, element('h1', {}, report.model), element('span', {class: 'soft grow'}, about),
              element('button', {onclick: switchTheme, title: 'dark or light'}, '◐')),
      element('section', {}, parts.controls, parts.tiles),
      section('Kernels', [
        element('input', {type: 'search', placeholder: 'name, layer, line, op, buffer …',
                          oninput: event => { state.filter = event.target.value.trim(); drawTable(); }}),
        element('label', {}, element('input', {type: 'checkbox',
                onchange: event => { state.byLayer = event.target.checked; drawTable(); }}), 'by layer'),
      ], parts.table),
      section('Graph', [
        element('label', {}, 'nodes:', grouping),
        element('button', {onclick: () => zoomBy(1.25)}, '+'), element('button', {onclick: () => zoomBy(0.8)}, '−'),
        element('button', {onclick: () => { state.zoom = 0; drawGraph(); }}, 'fit'),
        element('span', {class: 'soft'}, 'orange line: share of the time'),
      ], parts.graph, legend()),
      section('Memory', element('span', {class: 'soft'},
          'bars: buffers; line: live bytes; dashed: their peak, a lower bound of any plan; shaded: the step of the peak'),
          parts.memory),
      section('Inputs and outputs', null, parts.signature));
  const requested = decodeURIComponent(location.hash.slice(1));
  const defaultFunction = report.profiles?.at(-1)?.function ??
      report.functions.reduce((a, b) => (b.steps ?? []).length > (a.steps ?? []).length ? b : a).name;
  choose(report.functions.some(each => each.name === requested) ? requested : defaultFunction);
  grouping.value = state.grouping;
  window.addEventListener('resize', () => { state.width = parts.table.clientWidth; drawMemory(); });
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  root.dataset.theme = isDark ? 'light' : 'dark';
}

buildPage();
