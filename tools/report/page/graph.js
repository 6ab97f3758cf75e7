// The kernels of a function as a graph, drawn in layers from top to bottom: an
// edge for each buffer, from the kernel that wrote it to each that reads it.

const nodeWidth = 214, nodeHeight = 62, gapX = 22, gapY = 34, bendWidth = 2, bendGap = 12;
/// The maximum number of rows that an edge spans with a bend in each row. A
/// longer edge goes around the nodes in between.
const longestBend = 8;
/// The maximum distance by which the control points of such an edge move right
/// with its length, in pixels.
const farReach = 320;
/// The minimum and maximum zoom that fits the graph to the panel.
const minZoom = 0.75, maxZoom = 1.4;
/// The empty margin around the graph.
const margin = 14;

/// Returns the number of nodes in a row that fit into a panel of this width,
/// with room for edges.
function longestRowOf(width) {
  return Math.max(3, Math.floor(width / (nodeWidth + gapX)) - 1);
}

/// Returns the nodes and edges of the graph. Steps in one group share a node.
function buildGraph(steps, grouping) {
  const {edges, values} = buildEdges(steps);
  const nodes = new Map(), nodeOf = new Map();
  for (const step of steps) {
    const group = groupOf(step, grouping), key = group || `step ${step.number}`;
    if (!nodes.has(key))
      nodes.set(key, {key, name: group || step.name, steps: [], index: nodes.size});
    nodes.get(key).steps.push(step);
    nodeOf.set(step.number, nodes.get(key));
  }
  for (const value of values)
    nodeOf.set(value.id, {key: value.id, name: value.name, kind: 'value', steps: [], value: value.value,
                          index: value.owner.kind === 'input' ? -1 : steps.length});
  const links = edges.map(edge => ({from: nodeOf.get(edge.from), to: nodeOf.get(edge.to), value: edge.value}))
                    .filter(link => link.from !== link.to);
  const used = new Set(links.flatMap(link => [link.from, link.to]));
  const all = [...new Set(nodeOf.values())].filter(node => node.steps.length || used.has(node));
  return {nodes: all.sort((a, b) => a.index - b.index), links};
}

/// Assigns each node to a row below all nodes that it reads from. Ignores edges
/// against the program order, which close the cycles that grouped steps can
/// have.
function assignRows(nodes, links, longestRow) {
  const before = new Map(nodes.map(node => [node, []])), after = new Map(nodes.map(node => [node, []]));
  for (const link of links)
    if (link.from.index < link.to.index) {
      before.get(link.to).push(link.from);
      after.get(link.from).push(link.to);
    }
  const counts = [];
  for (const node of nodes) {
    node.row = before.get(node).reduce((max, other) => Math.max(max, other.row + 1), 0);
    while (counts[node.row] >= longestRow)
      ++node.row;
    counts[node.row] = (counts[node.row] ?? 0) + 1;
  }
  // A node that reads no other node goes to the row above its first reader.
  for (const node of [...nodes].reverse())
    if (!before.get(node).length && after.get(node).length)
      node.row = Math.min(...after.get(node).map(other => other.row)) - 1;
  const firstRow = Math.min(0, ...nodes.map(node => node.row));
  nodes.forEach(node => { node.row -= firstRow; });
}

/// Adds a bend to each row that an edge crosses. Returns the nodes and bends of
/// each row.
function addBends(nodes, links) {
  const rows = [];
  const put = (item, row) => (rows[row] ??= []).push(item);
  nodes.forEach(node => put(Object.assign(node, {width: nodeWidth, up: [], down: []}), node.row));
  const connect = (upper, lower) => { upper.down.push(lower); lower.up.push(upper); };
  for (const link of links) {
    const span = link.to.row - link.from.row;
    link.bends = [];
    link.isFar = span > longestBend || span < 1;
    if (link.isFar)
      continue;
    let last = link.from;
    for (let row = link.from.row + 1; row < link.to.row; ++row) {
      const bend = {row, width: bendWidth, up: [], down: []};
      put(bend, row);
      connect(last, bend);
      link.bends.push(bend);
      last = bend;
    }
    connect(last, link.to);
  }
  return Array.from(rows, row => row ?? []);
}

/// Orders the items of each row so that few edges cross: repeatedly moves each
/// item to the mean position of its neighbours in the rows above, then below.
function orderRows(rows) {
  const assignPositions = row => row.forEach((item, i) => { item.position = i - row.length / 2; });
  rows.forEach(assignPositions);
  const sweep = (row, side) => {
    for (const item of row)
      item.target = item[side].length
          ? item[side].reduce((sum, other) => sum + other.position, 0) / item[side].length : item.position;
    row.sort((a, b) => a.target - b.target);
    assignPositions(row);
  };
  for (let round = 0; round < 8; ++round) {
    rows.forEach(row => sweep(row, 'up'));
    [...rows].reverse().forEach(row => sweep(row, 'down'));
  }
}

/// Returns the minimum distance between the centers of adjacent items.
const gap = (a, b) => (a.width + b.width) / 2 +
    (a.width === bendWidth || b.width === bendWidth ? bendGap : gapX);

/// Sets the preferred positions of items without edges next to the adjacent
/// items of their row. Centers a row that has only items without edges.
function targetBesideOthers(row, middle) {
  const isFree = item => !item.up.length && !item.down.length;
  const first = row.findIndex(item => !isFree(item));
  if (first < 0 && row.length)
    row[0].target = middle - (row.length - 1) * (nodeWidth + gapX) / 2;
  for (let i = Math.max(first, 0) + 1; i < row.length; ++i)
    if (isFree(row[i]))
      row[i].target = row[i - 1].target + gap(row[i - 1], row[i]);
  for (let i = first - 1; i >= 0; --i)
    row[i].target = row[i + 1].target - gap(row[i], row[i + 1]);
}

/// Places the items of a row near their preferred positions, without overlaps.
function placeRow(row) {
  const right = [], left = [];
  row.forEach((item, i) => { right[i] = i ? Math.max(item.target, right[i - 1] + gap(row[i - 1], item)) : item.target; });
  for (let i = row.length - 1; i >= 0; --i)
    left[i] = i + 1 < row.length ? Math.min(row[i].target, left[i + 1] - gap(row[i], row[i + 1])) : row[i].target;
  row.forEach((item, i) => { item.x = (right[i] + left[i]) / 2; });
}

function placeRows(rows) {
  for (const row of rows) {
    row.forEach((item, i) => { item.target = (i - row.length / 2) * (nodeWidth + gapX); });
    placeRow(row);
  }
  const sweep = (row, sides) => {
    for (const item of row) {
      const others = sides.flatMap(side => item[side]);
      item.target = others.length ? others.reduce((sum, other) => sum + other.x, 0) / others.length : item.x;
    }
    targetBesideOthers(row, middle);
    placeRow(row);
  };
  let middle = 0;
  for (let round = 0; round < 12; ++round) {
    const linked = rows.flat().filter(item => item.up.length || item.down.length);
    middle = linked.reduce((sum, item) => sum + item.x, 0) / Math.max(linked.length, 1);
    rows.forEach(row => sweep(row, ['up']));
    [...rows].reverse().forEach(row => sweep(row, ['down']));
  }
  rows.forEach(row => sweep(row, ['up', 'down']));
}

/// Assigns the positions along a node at which its edges begin and end, in the
/// order of the x coordinates of their other ends.
function assignPorts(nodes, links) {
  const spread = (list, port, target) => {
    list.sort((a, b) => target(a).x - target(b).x);
    list.forEach((link, i) => { link[port] = (i - (list.length - 1) / 2) * Math.min(14, (nodeWidth - 40) / list.length); });
  };
  const near = links.filter(link => !link.isFar);
  for (const node of nodes) {
    spread(near.filter(link => link.from === node), 'fromPort', link => link.bends[0] ?? link.to);
    spread(near.filter(link => link.to === node), 'toPort', link => link.bends.at(-1) ?? link.from);
  }
}

/// Returns the x coordinate of the control points of a far edge. The curve
/// covers three quarters of the distance to them.
function outOf(link) {
  const between = Math.abs(rowY(link.to.row) - rowY(link.from.row));
  return Math.max(link.from.x, link.to.x) + nodeWidth / 2 + 40 + Math.min(farReach, between / 6);
}

function reachOf(link) {
  const ends = Math.max(link.from.x, link.to.x) + nodeWidth / 2;
  return ends + 0.75 * (outOf(link) - ends);
}

/// Returns the curve of an edge, through its bends or around the nodes in
/// between.
function pathOf(link) {
  const top = rowY(link.from.row) + nodeHeight, bottom = rowY(link.to.row);
  if (link.isFar) {
    const fromX = link.from.x + nodeWidth / 2, toX = link.to.x + nodeWidth / 2;
    const fromY = top - nodeHeight / 2, toY = bottom + nodeHeight / 2;
    const out = outOf(link);
    return `M${fromX},${fromY}C${out},${fromY} ${out},${toY} ${toX},${toY}`;
  }
  let x = link.from.x + link.fromPort, y = top, path = `M${x},${y}`;
  for (const bend of [...link.bends, {x: link.to.x + link.toPort, row: link.to.row, isEnd: true}]) {
    const nextY = rowY(bend.row), half = (y + nextY) / 2;
    path += `C${x},${half} ${bend.x},${half} ${bend.x},${nextY}`;
    if (!bend.isEnd)
      path += `V${nextY + nodeHeight}`;
    [x, y] = [bend.x, nextY + nodeHeight];
  }
  return path;
}

const rowY = row => 12 + row * (nodeHeight + gapY);

/// Breaks a text into at most `count` lines of at most `width` characters, after
/// blanks, slashes and underscores if possible. Text that does not fit is
/// replaced by an ellipsis.
function breakLines(text, width, count) {
  const lines = [''];
  for (const word of text.match(/[^ _/]*[ _/]*/g).filter(Boolean)) {
    if (lines.at(-1) && (lines.at(-1) + word).trimEnd().length > width) {
      if (lines.length === count) {
        lines[count - 1] = `${lines[count - 1].trimEnd().slice(0, width - 1)}…`;
        break;
      }
      lines.push('');
    }
    lines[lines.length - 1] += word;
  }
  return lines.map(line => line.trimEnd().length > width ? `${line.slice(0, width - 1)}…` : line.trimEnd());
}

function drawNode(node, state, heatOf) {
  const isValue = node.kind === 'value';
  const kinds = new Set(node.steps.map(step => step.kind));
  const kind = isValue ? 'value' : kinds.size === 1 ? [...kinds][0] : 'several';
  const last = node.steps.at(-1), heat = node.steps.reduce((sum, step) => sum + heatOf(step), 0);
  const shape = isValue ? formatType(node.value) : last.writes.map(formatType).join(', ');
  const below = isValue ? shape : node.steps.length > 1
      ? `${node.steps.length} kernels · ${formatShare(heat)}` : last.layer && last.layer !== node.name ? `${last.layer} · ${shape}` : shape;
  const lines = breakLines(isValue || node.steps.length > 1 ? node.name : last.title, 28, 2);
  const left = node.x - nodeWidth / 2, top = rowY(node.row);
  const isSelected = node.steps.some(step => step.number === state.selected);
  const title = isValue ? `${node.name}: ${shape}` : node.steps.slice(0, 24).map(step =>
      `#${step.number} ${step.name}\n${step.layers.join(', ')} ${shortLines(step.lines)} ${step.algorithm}\n` +
      `${formatCount(step.flops)} FLOPs, ${formatBytes(step.bytes)}, ${formatShare(heatOf(step))}`).join('\n');
  return element('g', {
    class: `node${isSelected ? ' selected' : ''}`, 'data-steps': node.steps.map(step => step.number).join(' '),
    onclick: () => node.steps.length && state.select(node.steps[0].number),
    onmouseenter: () => state.near(node, true), onmouseleave: () => state.near(node, false),
  },
  element('title', {}, title),
  element('rect', {class: 'box', x: left, y: top, width: nodeWidth, height: nodeHeight, rx: isValue ? 22 : 5}),
  !isValue && element('rect', {class: kind, x: left, y: top, width: 5, height: nodeHeight, rx: 2}),
  !isValue && element('rect', {class: 'heat', x: left + 5, y: top + nodeHeight - 4,
                               width: Math.min(1, heat) * (nodeWidth - 5), height: 4}),
  lines.map((line, i) => element('text', {x: left + 13, y: top + (lines.length > 1 ? 18 : 25) + 14 * i}, line)),
  element('text', {x: left + 13, y: top + (lines.length > 1 ? 49 : 43), class: 'soft'}, breakLines(below, 34, 1)[0]));
}

function buildGraphPicture(steps, state) {
  const {nodes, links} = buildGraph(steps, state.grouping);
  assignRows(nodes, links, longestRowOf(state.width));
  const rows = addBends(nodes, links);
  orderRows(rows);
  placeRows(rows);
  assignPorts(nodes, links);
  // Edges also bend to the left and right of the nodes.
  const items = rows.flat(), far = links.filter(link => link.isFar);
  const leftmost = Math.min(...items.map(item => item.x - item.width / 2)) - margin;
  const rightmost = Math.max(...items.map(item => item.x + item.width / 2), ...far.map(reachOf)) + margin;
  const heatOf = step => (state.hasProfile ? step.measuredShare : step.share) ?? 0;
  const paths = links.map(link => {
    link.path = element('path', {class: `edge${link.isFar ? ' far' : ''}`, d: pathOf(link)},
        element('title', {}, `${describeOwner(link.value)}: ${formatType(link.value)}`));
    return link.path;
  });
  const drawn = new Map(nodes.map(node => [node, drawNode(node, state, heatOf)]));
  state.near = (node, isNear) => links.filter(link => link.from === node || link.to === node).forEach(link => {
    link.path.classList.toggle('near', isNear);
    for (const end of [link.from, link.to])
      drawn.get(end).classList.toggle('near', isNear && end !== node);
  });
  const width = rightmost - leftmost, height = rowY(rows.length) - gapY + margin;
  return element('svg', {class: 'graph', viewBox: `${leftmost} 0 ${width} ${height}`,
                         width: width * state.zoom, height: height * state.zoom, 'data-edges': links.length,
                         'data-width': width},
      element('g', {}, paths), element('g', {}, [...drawn.values()]));
}
