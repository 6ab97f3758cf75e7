// The workspace over time: a bar for each buffer, from the first step that
// writes it to the last step that uses it. The height is the size in bytes.

function buildMemoryPicture(memory, steps, state) {
  const left = 86, top = 14, width = Math.max(560, state.width - left - 40), height = 400;
  const maxBytes = Math.max(memory.arena, 1), count = Math.max(memory.live.length, 1);
  const x = step => left + step / count * width;
  const y = bytes => top + height - bytes / maxBytes * height;
  const writers = new Map();
  for (const step of steps)
    for (const write of step.writes)
      if ('workspace' in write && !writers.has(write.workspace))
        writers.set(write.workspace, {step, value: write});
  const bars = memory.buffers.map(buffer => {
    const writer = writers.get(buffer.id);
    const high = y(buffer.offset) - y(buffer.offset + buffer.size);
    const isSelected = steps[state.selected] &&
        [...steps[state.selected].reads, ...steps[state.selected].writes].some(value => value.workspace === buffer.id);
    const writerText = writer ? `${formatType(writer.value)} of #${writer.step.number} ${writer.step.name}` : '';
    return element('rect', {
      class: `bar ${writer?.step.kind ?? 'several'}${isSelected ? ' selected' : ''}${high < 4 ? ' thin' : ''}`,
      'data-buffer': buffer.id,
      x: x(buffer.first_step), y: y(buffer.offset + buffer.size),
      width: x(buffer.last_step + 1) - x(buffer.first_step), height: high,
      onclick: () => writer && state.select(writer.step.number),
    }, element('title', {}, `buffer ${buffer.id}: ${formatBytes(buffer.bytes)} at ${formatBytes(buffer.offset)}\n${writerText}\n` +
        `steps ${buffer.first_step} to ${buffer.last_step}`));
  });
  let live = `M${x(0)},${y(memory.live[0] ?? 0)}`;
  memory.live.forEach((bytes, step) => { live += `V${y(bytes)}H${x(step + 1)}`; });
  const peakX = x(memory.peakStep), bound = y(memory.lowerBound);
  const labels = memory.buffers.flatMap(buffer => {
    const wide = x(buffer.last_step + 1) - x(buffer.first_step), high = y(buffer.offset) - y(buffer.offset + buffer.size);
    const text = writers.has(buffer.id) ? formatType(writers.get(buffer.id).value) : '';
    return high < 15 || wide < 7 * text.length ? [] : element('text', {
      class: 'inside', x: x(buffer.first_step) + 6, y: y(buffer.offset + buffer.size) + 13}, text);
  });
  return element('svg', {class: 'memory', width: left + width + 30, height: top + height + 44,
                         'data-lower-bound': memory.lowerBound, 'data-arena': memory.arena, 'data-workspace': memory.workspace},
      gridLines(maxBytes, left, width, y), bars, labels,
      element('rect', {class: 'peak', x: peakX, y: top, width: Math.max(2, x(memory.peakStep + 1) - peakX), height}),
      element('path', {class: 'live', d: live}),
      element('line', {class: 'bound', x1: left, x2: left + width, y1: bound, y2: bound}),
      stepAxis(count, x, top + height),
      element('text', {x: left + width, y: top + height + 36, 'text-anchor': 'end', class: 'soft'}, 'step'));
}

/// Returns lines at round numbers of bytes.
function gridLines(maxBytes, left, width, y) {
  const lines = [];
  let unit = 2 ** Math.floor(Math.log2(maxBytes / 3));
  if (maxBytes / unit > 6)
    unit *= 2;
  for (let bytes = 0; bytes <= maxBytes; bytes += unit) {
    lines.push(element('line', {class: 'axis', x1: left, x2: left + width, y1: y(bytes), y2: y(bytes)}));
    lines.push(element('text', {class: 'soft', x: left - 8, y: y(bytes) + 4, 'text-anchor': 'end'}, formatBytes(bytes)));
  }
  return lines;
}

function stepAxis(count, x, bottom) {
  const labels = [];
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(each => count / each <= 24) ?? 2000;
  for (let step = 0; step < count; step += every)
    labels.push(element('text', {class: 'soft', x: (x(step) + x(step + 1)) / 2, y: bottom + 16, 'text-anchor': 'middle'}, String(step)));
  return labels;
}
