// Numbers as people read them, and the formulas over dynamic extents in
// reports: "batch * 400 + 64".

function parseFormula(text, names) {
  // A name may contain operators, so the longest matching name wins.
  const known = [...names].sort((a, b) => b.length - a.length);
  const words = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const word = known.find(name => rest.startsWith(name)) ??
        /^(\d+|floordiv|ceildiv|mod|[-+*()])/.exec(rest)?.[0];
    if (word)
      words.push(word);
    else if (rest[0] !== ' ')
      return null;
    at += word ? word.length : 1;
  }
  return words;
}

const operations = {
  '*': (a, b) => a * b,
  'floordiv': (a, b) => Math.floor(a / b),
  'ceildiv': (a, b) => Math.ceil(a / b),
  'mod': (a, b) => ((a % b) + b) % b,
};

/// Returns the value of a formula, where `symbols` maps names to numbers.
/// Returns NaN if the text is not a formula.
function evaluate(formula, symbols) {
  if (typeof formula === 'number')
    return formula;
  const words = parseFormula(String(formula), symbols.keys()) ?? [];
  let at = 0;
  const factor = () => {
    const word = words[at++];
    if (word === '-')
      return -factor();
    if (word === '(') {
      const inner = sum();
      ++at;
      return inner;
    }
    return symbols.has(word) ? symbols.get(word) : Number(word ?? NaN);
  };
  const product = () => {
    let result = factor();
    while (Object.hasOwn(operations, words[at] ?? ''))
      result = operations[words[at++]](result, factor());
    return result;
  };
  const sum = () => {
    let result = product();
    while (words[at] === '+' || words[at] === '-')
      result += words[at++] === '+' ? product() : -product();
    return result;
  };
  return sum();
}

/// Returns a number with three digits and a unit: 1.23 M.
function formatScaled(number, units, step) {
  if (!Number.isFinite(number))
    return '–';
  let unit = 0, value = number;
  while (Math.abs(value) >= (unit ? 999.5 / 1000 : 1) * step && unit + 1 < units.length) {
    value /= step;
    ++unit;
  }
  const digits = unit === 0 && Number.isInteger(value)
      ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.max(1, Math.abs(value)))));
  return `${value.toFixed(digits)}${units[unit] ? ' ' + units[unit] : ''}`;
}

const formatCount = n => formatScaled(n, ['', 'k', 'M', 'G', 'T', 'P'], 1000);
const formatBytes = n => formatScaled(n, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 1024);
const formatShare = part => Number.isFinite(part) ? `${(part * 100).toFixed(1)} %` : '–';

function formatSeconds(seconds) {
  if (!Number.isFinite(seconds))
    return '–';
  if (seconds > 0 && seconds < 1e-6)
    return `${(seconds * 1e9).toPrecision(3)} ns`;
  if (seconds < 1e-3)
    return `${(seconds * 1e6).toPrecision(3)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

/// Returns a type as text: f32 [batch, 784].
const formatType = value => value.dims.length ? `${value.type} [${value.dims.join(', ')}]` : value.type;

/// Returns an element with attributes and children. Texts are never interpreted
/// as markup.
function element(tag, attributes, ...children) {
  const svg = ['svg', 'g', 'rect', 'path', 'line', 'text', 'title'].includes(tag);
  const result = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag)
                     : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on'))
      result.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false)
      result.setAttribute(name, value === true ? '' : value);
  }
  result.append(...children.flat().filter(child => child !== undefined && child !== null && child !== false));
  return result;
}
