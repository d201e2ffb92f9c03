// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page asks the library, compiled to WebAssembly (mmm.js), and draws its answers.
'use strict';

const byId = (id) => document.getElementById(id);
const fields = {  // name in the address bar -> element and value at the beginning
  p: ['pattern', 'i * 32'], m: ['machine', 'dmm'], w: ['width', '32'], s: ['space', 'shared'],
  b: ['bytes', '4'], o: ['op', 'load'], n: ['items', ''], r: ['row', ''], pad: ['pad', '0'],
  a: ['algorithm', 'sum'], k: ['kind', 'dmm'], aw: ['aw', '4'], al: ['al', '5'], at: ['at', '8'],
  an: ['an', '20'], round: ['round', '1'],
  e: ['problem', ''], eg: ['kernel-gpu', 'h200'], et: ['kernel-type', 'float'], es: ['kernel-size', ''],
  em: ['taps', ''], ev: ['radius', ''],
};
const examples = [
  ['a column of a 32 x 32 tile', 'dmm', 'i * 32', {}],
  ['the same with a word of padding', 'dmm', 'i * 33', {}],
  ['a stride of 6', 'dmm', 'i * 6', {}],
  ['a matrix row on a UMM', 'umm', 'i', {}],
  ['a matrix column on a UMM', 'umm', 'i * 32', {}],
  ['16-byte loads, rows of 128 bytes', 'h200', 'i % 8 * 128 + i / 8 * 16', {bytes: '16'}],
  ['structures of three floats', 'h200', 'i * 12', {space: 'global'}],
  ['every other lane of a warp', 'h200', 'i % 2 == 0 ? i * 128 : none', {}],
];

// Within another page (?embedded) that page has the address bar: embed.js tells it what to show.
const embedded = new URLSearchParams(location.search).has('embedded');
const tellPage = (message) => { if (embedded) parent.postMessage({mmm: message}, '*'); };

let ask;             // question -> answer of the library
let kernelProgram;   // the address of the worker's program, which is loaded when it is needed
let kernelWorker;    // predicts kernels, so that the page goes on meanwhile; made when it is needed
let predicting = false;
let gpus = [];
let algorithms = [];
let better = null;   // the layout that the library prefers, for the button
let trace = null;    // the answer about the algorithm

// --- state ---------------------------------------------------------------------------------------

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [key, [id, first]] of Object.entries(fields)) {
    const element = byId(id);
    const value = given.has(key) ? given.get(key) : first;
    if (element.type === 'range') element.max = Math.max(Number(element.max), Number(value) || 0);
    element.value = value;
    const kept = element.tagName === 'SELECT' ? element.selectedIndex >= 0 : element.value !== '';
    if (!kept) element.value = first;
    if (element.tagName === 'SELECT' && element.selectedIndex < 0) element.selectedIndex = 0;
    if (id === 'algorithm') listKinds();
  }
}

function writeAddress() {
  const state = new URLSearchParams();
  for (const [key, [id, first]] of Object.entries(fields))
    if (byId(id).value !== first) state.set(key, byId(id).value);
  const text = state.toString();
  history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
  tellPage({state: text});
}

// --- pictures ------------------------------------------------------------------------------------

function svgElement(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function newPicture(width, height, label) {
  return svgElement('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
                            'aria-label': label});
}

function cell(svg, x, y, width, height, kind, text, title) {
  const group = svgElement('g', {});
  const inset = kind === 'written' ? 1.5 : 0;
  group.append(svgElement('rect', {x: x + inset, y: y + inset, width: width - 2 * inset,
                                   height: height - 2 * inset, class: kind}));
  if (text !== '')
    group.append(svgElement('text', {x: x + width / 2, y: y + height / 2, class: kind + '-text'}, text));
  if (title) group.append(svgElement('title', {}, title));
  svg.append(group);
}

const lanesText = (lanes) => lanes.length === 1 ? String(lanes[0]) : lanes[0] + '+';
const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

// Rows of cells with a label, below the heads of the columns; sideways where the page is narrow.
function drawGrid(into, {rows, columns, head, label, who}) {
  const room = into.clientWidth || 600;
  const narrow = room < 500;
  const nameOf = (row) => narrow ? row.short : row.label;
  const corner = narrow ? `${who} \\ ${head}` : head;
  const longest = Math.max(corner.length, ...rows.map((row) => nameOf(row).length));
  const side = longest * 6.2 + 10;
  const sideways = room < side + columns * 19 && rows.length < columns;
  const size = sideways ? 22 : Math.max(19, Math.min(30, Math.floor((room - side - 2) / columns)));
  const high = rows.length > 16 ? 17 : 22;
  into.replaceChildren();
  if (!sideways) {
    const svg = newPicture(side + columns * size + 2, 20 + rows.length * high + 2, label);
    for (let c = 0; c < columns; ++c)
      svg.append(svgElement('text', {x: side + (c + .5) * size, y: 10, class: 'head'}, c));
    svg.append(svgElement('text', {x: side - 6, y: 10, class: 'label'}, corner));
    rows.forEach((row, r) => {
      const y = 20 + r * high;
      svg.append(svgElement('text', {x: side - 6, y: y + high / 2, class: 'label'}, nameOf(row)));
      for (let c = 0; c < columns; ++c) {
        const found = row.cells.get(c);
        cell(svg, side + c * size, y, size, high, found ? found.kind : 'cell',
             found ? found.text : '', found ? found.title : `${head} ${c}: idle`);
      }
    });
    into.append(svg);
    return;
  }
  const top = 24;
  const svg = newPicture(60 + rows.length * size + 2, top + columns * 20 + 2, label);
  svg.append(svgElement('text', {x: 54, y: 10, class: 'label'}, who));
  rows.forEach((row, r) =>
    svg.append(svgElement('text', {x: 60 + (r + .5) * size, y: 10, class: 'head'}, row.short)));
  for (let c = 0; c < columns; ++c) {
    const y = top + c * 20;
    svg.append(svgElement('text', {x: 54, y: y + 10, class: 'label'}, `${head} ${c}`));
    rows.forEach((row, r) => {
      const found = row.cells.get(c);
      cell(svg, 60 + r * size, y, size, 20, found ? found.kind : 'cell', found ? found.text : '',
           found ? found.title : `${head} ${c}: idle`);
    });
  }
  into.append(svg);
}

// The cells of a stage; several words of one column do not occur in a stage.
function cellsOf(words, kindOf) {
  const cells = new Map();
  for (const word of words)
    cells.set(word.column, {
      kind: kindOf(word),
      text: lanesText(word.lanes),
      title: `word ${word.address}: ${word.lanes.length === 1 ? 'lane' : 'lanes'} ${word.lanes.join(', ')}`,
    });
  return cells;
}

// --- one access ----------------------------------------------------------------------------------

const onGpu = () => !['dmm', 'umm'].includes(byId('machine').value);
const padUnit = () => onGpu() ? Math.max(4, Number(byId('bytes').value)) : 1;
const rowLength = () => byId('row').value || (onGpu() ? '128' : byId('width').value);

function argumentsOfForm() {
  const list = onGpu()
    ? ['--gpu', byId('machine').value, '--space', byId('space').value, '--bytes', byId('bytes').value,
       '--op', byId('op').value]
    : ['--machine', byId('machine').value, '--width', byId('width').value];
  if (byId('items').value !== '') list.push('--size', byId('items').value);
  return list;
}

function paddedPattern(pattern, pad) {
  if (pad === 0) return pattern;
  const whole = /^\w+$/.test(pattern) ? pattern : `(${pattern})`;
  return `${whole} + ${whole} / ${rowLength()} * ${pad * padUnit()}`;
}

function showError(message) {
  const name = /^--width/.test(message) ? 'width' : /^--size/.test(message) ? 'items' : 'pattern';
  for (const id of ['pattern', 'width', 'items']) {
    const wrong = message !== '' && id === name;
    byId(id).setAttribute('aria-invalid', String(wrong));
    if (byId(id + '-error').textContent !== (wrong ? message : ''))
      byId(id + '-error').textContent = wrong ? message : '';
  }
  for (const id of ['result', 'picture', 'assertion', 'legend', 'bars'])
    byId(id).classList.toggle('stale', message !== '');
  for (const id of ['copy', 'swizzle']) byId(id).disabled = message !== '';
}

function showFields() {
  const gpu = onGpu();
  for (const element of document.querySelectorAll('.on-gpu')) element.classList.toggle('hidden', !gpu);
  for (const element of document.querySelectorAll('.on-machine')) element.classList.toggle('hidden', gpu);
  byId('unit').textContent = byId('row-unit').textContent = gpu ? 'bytes' : 'words';
  byId('width-of').textContent = byId('machine').value === 'umm' ? 'words of a group' : 'banks';
  byId('row').placeholder = gpu ? '128' : byId('width').value;
  byId('pad-value').textContent = plural(Number(byId('pad').value) * padUnit(), gpu ? 'byte' : 'word');
}

function drawBars(takes, unit) {
  const chosen = Number(byId('pad').value);
  const into = byId('bars');
  const width = into.clientWidth || 300;
  const most = Math.max(1, ...takes);
  const slot = width / takes.length;
  const svg = newPicture(width, 74, `${unit}s for each padding: ${takes.join(', ')}`);
  takes.forEach((value, k) => {
    const height = 50 * value / most;
    const bar = svgElement('rect', {x: k * slot + 1, y: 70 - height, width: Math.max(1, slot - 2), height,
                                    class: k === chosen ? 'bar chosen' : 'bar'});
    bar.append(svgElement('title', {}, `padding ${k * padUnit()}: ${plural(value, unit)}`));
    bar.addEventListener('click', () => { byId('pad').value = k; update(); });
    svg.append(bar);
    if (slot > 15) svg.append(svgElement('text', {x: (k + .5) * slot, y: 62 - height}, value));
  });
  into.replaceChildren(svg);
}

function drawRequest(answer) {
  const clash = new Set(answer.figures.colliding_lanes || []);
  const worst = answer.takes > answer.least && answer.banks ? answer.figures.worst_bank : -1;
  const inPart = new Map();
  const rows = answer.stages.map((stage, k) => {
    const within = (inPart.get(stage.part) || 0) + 1;
    inPart.set(stage.part, within);
    const phase = /^phase (\d+) of (\d+)$/.exec(stage.part);
    const group = stage.words.length ? Math.floor(stage.words[0].address / answer.columns) : 0;
    const label = !answer.banks ? `${onGpu() ? 'sector' : 'group'} ${group}`
      : phase && phase[2] !== '1' ? `phase ${phase[1]}, wavefront ${within}`
      : `${onGpu() ? 'wavefront' : 'stage'} ${k + 1}`;
    return {
      label, short: !answer.banks ? String(group) : phase && phase[2] !== '1' ? `${phase[1]}.${within}` : String(k + 1),
      cells: cellsOf(stage.words, (word) =>
        word.column === worst && word.lanes.some((lane) => clash.has(lane)) ? 'clash' : 'served'),
    };
  });
  drawGrid(byId('picture'), {
    rows, columns: answer.columns, head: answer.banks ? 'bank' : 'word',
    who: answer.banks ? (onGpu() ? 'wavefr.' : 'stage') : (onGpu() ? 'sector' : 'group'),
    label: byId('takes').textContent + ' ' + byId('why').textContent,
  });
  byId('legend').textContent = 'A number is a lane' +
    (answer.stages.some((s) => s.words.some((w) => w.lanes.length > 1))
      ? '; n+ is lane n and others that ask for the same word' : '') +
    (worst >= 0 ? '. The other colour marks lanes that meet in the worst bank.' : '.');
}

function updateAccess() {
  showFields();
  const pad = Number(byId('pad').value);
  const list = argumentsOfForm();
  const text = byId('pattern').value;
  let answer = ask({ask: 'pattern', pattern: text, arguments: list});
  const own = answer;
  const pattern = paddedPattern(text, pad);
  if (!answer.error && pad !== 0) answer = ask({ask: 'pattern', pattern, arguments: list});
  showError(answer.error || '');
  if (answer.error) return;
  const unit = answer.banks ? (onGpu() ? 'wavefront' : 'stage') : (onGpu() ? 'sector' : 'stage');
  byId('takes').textContent = plural(answer.takes, unit);
  byId('least').textContent = answer.takes === answer.least
    ? 'No layout can take fewer.' : `Such accesses can take ${answer.least}.`;
  const bank = answer.rows.find((row) => row[0] === 'its worst bank');
  byId('why').textContent = bank && answer.takes > answer.least
    ? `The worst bank is ${bank[1].replace(': ', ', where these meet: ')}.` : '';
  drawRequest(answer);
  byId('padded').replaceChildren();
  if (pad !== 0) {
    const code = document.createElement('code');
    code.textContent = pattern;
    byId('padded').append('With this padding the address is ', code, '.');
  }
  const all = Array.from({length: Number(byId('pad').max) + 1}, (_, k) => paddedPattern(text, k));
  const costs = ask({ask: 'costs', patterns: all, arguments: list});
  if (costs.takes) drawBars(costs.takes, unit);
  better = own.figures.better || null;
  byId('swizzle').disabled = better === null;
  byId('swizzle-why').textContent = better ? `${better.how}: ${plural(better.takes, unit)}.`
    : !own.banks ? 'Swizzles are for banks.' : 'No layout takes less than this pattern.';
  byId('assertion').textContent = answer.assertion.code;
  byId('copy').disabled = answer.assertion.code === '';
  byId('no-assertion').textContent =
    answer.assertion.code ? '' : `There is no assertion for this pattern: ${answer.assertion.reason}.`;
  byId('copied').textContent = '';
  byId('rows').replaceChildren(...answer.rows.map(([name, value]) => {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    const data = document.createElement('td');
    head.textContent = name;
    data.textContent = value;
    row.append(head, data);
    return row;
  }));
  byId('text').textContent = answer.text;
}

// Copies the text of an element, and says so in another.
async function copy(from, said) {
  try {
    await navigator.clipboard.writeText(byId(from).textContent);
    byId(said).textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(byId(from));
    byId(said).textContent =
      document.execCommand('copy') ? 'Copied.' : 'The text is selected: copy it with the keyboard.';
  }
}

// --- an algorithm --------------------------------------------------------------------------------

const algorithm = () => algorithms.find((a) => a.name === byId('algorithm').value);

function listKinds() {
  const before = byId('kind').value;
  const kinds = algorithm().machines;
  byId('kind').replaceChildren(...kinds.map((kind) => new Option(kind.toUpperCase(), kind)));
  if (kinds.includes(before)) byId('kind').value = before;
  byId('size-of').textContent = algorithm().square ? 'Side of the square' : 'Words';
}

function updateAlgorithm() {
  const number = (id) => byId(id).value === '' ? null : Number(byId(id).value);
  const answer = ask({ask: 'rounds', algorithm: byId('algorithm').value, machine: byId('kind').value,
                      width: number('aw'), latency: number('al'), threads: number('at'), size: number('an')});
  byId('rounds-error').textContent = answer.error || '';
  byId('summary').textContent = `${algorithm().summary} (${algorithm().paper})`;
  for (const id of ['total', 'round-why', 'round-picture', 'memory'])
    byId(id).classList.toggle('stale', Boolean(answer.error));
  if (answer.error) return;
  trace = answer;
  byId('round').max = Math.max(1, answer.rounds.length);
  byId('total').textContent = `${plural(answer.rounds.length, 'round')}, ${plural(answer.stages, 'stage')}, ` +
    `${plural(answer.time, 'time unit')}; no algorithm takes fewer than ${answer.lower_bound}.`;
  showRound();
}

function showRound() {
  if (!trace) return;
  const k = Math.min(Number(byId('round').value), trace.rounds.length);
  const round = trace.rounds[k - 1];
  byId('first').disabled = byId('previous').disabled = k <= 1;
  byId('next').disabled = byId('last').disabled = k >= trace.rounds.length;
  if (!round) return;
  const width = Number(byId('aw').value);
  const groups = byId('kind').value === 'umm';
  byId('round-why').textContent = `Round ${k} of ${trace.rounds.length}: ${plural(round.stages.length, 'stage')} ` +
    `and latency ${byId('al').value} take ${round.stages.length} + ${byId('al').value} - 1 = ` +
    `${plural(round.time, 'time unit')}, from ${round.begin} on.`;
  const kindOf = (word) => word.writes ? 'written' : 'served';
  drawGrid(byId('round-picture'), {
    rows: round.stages.map((stage, s) => ({
      label: `stage ${s + 1}, warp ${stage.warp}`, short: String(s + 1), cells: cellsOf(stage.words, kindOf)})),
    columns: width, head: groups ? 'word' : 'bank', who: 'stage', label: byId('round-why').textContent,
  });
  let words = 0;
  for (const each of trace.rounds)
    for (const stage of each.stages)
      for (const word of stage.words) words = Math.max(words, word.address + 1);
  const used = new Map();
  for (const stage of round.stages)
    for (const word of stage.words) used.set(word.address, word);
  drawGrid(byId('memory'), {
    rows: Array.from({length: Math.ceil(words / width)}, (_, r) => ({
      label: `words ${r * width} …`, short: String(r * width),
      cells: cellsOf(Array.from({length: width}, (_, c) => used.get(r * width + c)).filter(Boolean), kindOf)})),
    columns: width, head: groups ? 'word' : 'bank', who: 'from', label: 'the words that the round accesses',
  });
}

function step(to) {
  byId('round').value = to;
  showRound();
  writeAddress();
}

// --- the kernel for a problem --------------------------------------------------------------------

// The arguments of `mmm-explore emit`; what is left empty has its default there.
function kernelArguments() {
  const options = [['--gpu', 'kernel-gpu'], ['--size', 'kernel-size'], ['--type', 'kernel-type']];
  const problem = byId('problem').value;
  if (problem === 'convolution') options.push(['--taps', 'taps']);
  if (problem === 'image-convolution') options.push(['--radius', 'radius']);
  return [problem, ...options.filter(([, id]) => byId(id).value !== '').flatMap(([name, id]) => [name, byId(id).value])];
}

// True if the program of the kernels is there; otherwise the page goes on when it is. Its file has
// one function, whose text is the worker's program: a page that is opened as a file may not name a
// worker's file.
let loading = false;
function loadKernels() {
  if (kernelProgram || loading) return Boolean(kernelProgram);
  loading = true;
  byId('kernel-status').textContent = 'Loading the library of the kernels …';
  const script = document.createElement('script');
  script.src = 'mmm_kernels.js';
  script.onerror = () => {  // the next choice tries again
    loading = false;
    script.remove();
    showKernelError('The library could not be started: mmm_kernels.js is missing');
  };
  script.onload = () => {
    kernelProgram = URL.createObjectURL(new Blob([`(${mmm_kernels})();`], {type: 'text/javascript'}));
    updateKernel();
  };
  document.body.append(script);
  return false;
}

// The next prediction begins with a new worker.
function stopWorker() {
  if (kernelWorker) kernelWorker.terminate();
  kernelWorker = undefined;
  predicting = false;
}

// What is shown is not for what is chosen: it cannot be copied.
function kernelIsStale(stale) {
  byId('kernel').classList.toggle('stale', stale);
  byId('copy-kernel').disabled = stale;
  const save = byId('save-kernel');
  if (save.href) URL.revokeObjectURL(save.href);
  if (stale) save.removeAttribute('href');
  else save.href = URL.createObjectURL(new Blob([byId('kernel').textContent], {type: 'text/plain'}));
}

// The message stands beside the field whose option it begins with.
function showKernelError(message) {
  byId('kernel-status').textContent = '';
  let place = 'kernel-error';
  for (const [option, id] of [['--size', 'kernel-size'], ['--taps', 'taps'], ['--radius', 'radius']]) {
    const own = message.startsWith(option + ' ');
    byId(id).setAttribute('aria-invalid', String(own));
    byId(id + '-error').textContent = own ? message : '';
    if (own) place = id + '-error';
  }
  byId('kernel-error').textContent = place === 'kernel-error' ? message : '';
}

const asksForKernel = () =>
  ['e', 'eg', 'et', 'es', 'em', 'ev'].some((key) => new URLSearchParams(location.hash.slice(1)).has(key));

// Some problems take seconds: the kernel is asked for when nothing was typed for a while, and a
// prediction that nobody waits for is stopped.
let kernelTimer = 0;
function updateKernel() {
  const problem = byId('problem').value;
  for (const [kind, name] of [['of-convolution', 'convolution'], ['of-image', 'image-convolution']])
    for (const field of document.getElementsByClassName(kind)) field.classList.toggle('hidden', problem !== name);
  clearTimeout(kernelTimer);
  if (predicting) stopWorker();
  if (!byId('kernels').open) return;
  kernelIsStale(true);
  byId('kernel-copied').textContent = '';
  if (!loadKernels()) return;
  byId('kernel-status').textContent = 'Predicting the candidates …';
  kernelTimer = setTimeout(askForKernel, 300);
}

function askForKernel() {
  const given = kernelArguments();
  const show = (answer) => {
    predicting = false;
    if (answer.failed) stopWorker();
    showKernel(given, answer);
  };
  if (!kernelWorker) kernelWorker = new Worker(kernelProgram);
  kernelWorker.onmessage = ({data}) => show(data);
  kernelWorker.onerror = ({message}) => show({error: `The library failed: ${message}`, failed: true});
  predicting = true;
  kernelWorker.postMessage(given);
}

function showKernel(given, answer) {
  showKernelError(answer.error || '');
  if (answer.error) return;
  byId('kernel').textContent = answer.source;
  byId('kernel-command').textContent = 'mmm-explore emit ' + given.join(' ');
  kernelIsStale(false);
}

// --- beginning -----------------------------------------------------------------------------------

function update() {
  updateAccess();
  writeAddress();
}

function begin(module) {
  const call = module.cwrap('mmm_answer', 'string', ['string']);
  ask = (question) => JSON.parse(call(JSON.stringify(question)));
  let kernels;
  ({gpus, algorithms, kernels} = ask({ask: 'choices'}));
  fields.e[1] = kernels.problems[0];
  byId('machine').append(new Option('DMM: banks', 'dmm'), new Option('UMM: address groups', 'umm'),
                         ...gpus.map((gpu) => new Option(gpu.title, gpu.name)));
  byId('algorithm').append(...algorithms.map((a) => new Option(a.name, a.name)));
  byId('problem').append(...kernels.problems.map((name) => new Option(name, name)));
  byId('kernel-gpu').append(...kernels.gpus.map((gpu) => new Option(gpu.title, gpu.name)));
  byId('kernel-type').append(...kernels.types.map((name) => new Option(name, name)));
  byId('example').append(new Option('choose …', ''), ...examples.map((e, k) => new Option(e[0], k)));
  readAddress();
  if (embedded) byId('rounds').open = ['a', 'round'].some((key) => location.hash.includes(key + '='));
  updateAccess();
  document.documentElement.dataset.firstPicture = String(Math.round(performance.now()));
  updateAlgorithm();
  byId('kernels').open = asksForKernel();
  updateKernel();
  document.documentElement.dataset.ready = '';

  byId('form').addEventListener('submit', (event) => event.preventDefault());
  byId('rounds-form').addEventListener('submit', (event) => event.preventDefault());
  byId('example').addEventListener('change', () => {
    const found = examples[byId('example').value];
    if (!found) return;
    const [, machine, pattern, more] = found;
    for (const id of ['width', 'space', 'bytes', 'op', 'items', 'row', 'pad'])
      byId(id).value = Object.values(fields).find((f) => f[0] === id)[1];
    byId('machine').value = machine;
    byId('pattern').value = pattern;
    for (const [id, value] of Object.entries(more)) byId(id).value = value;
    update();
  });
  for (const id of ['pattern', 'machine', 'width', 'space', 'bytes', 'op', 'items', 'row', 'pad'])
    byId(id).addEventListener('input', update);
  byId('swizzle').addEventListener('click', () => {
    if (!better) return;
    byId('pattern').value = better.pattern;
    byId('pad').value = 0;
    update();
  });
  byId('copy').addEventListener('click', () => copy('assertion', 'copied'));
  byId('algorithm').addEventListener('input', listKinds);
  for (const id of ['algorithm', 'kind', 'aw', 'al', 'at', 'an'])
    byId(id).addEventListener('input', () => { byId('round').value = 1; updateAlgorithm(); writeAddress(); });
  byId('kernel-form').addEventListener('submit', (event) => event.preventDefault());
  for (const id of ['problem', 'kernel-gpu', 'kernel-type', 'kernel-size', 'taps', 'radius'])
    byId(id).addEventListener('input', () => { updateKernel(); writeAddress(); });
  byId('kernels').addEventListener('toggle', updateKernel);
  byId('copy-kernel').addEventListener('click', () => copy('kernel', 'kernel-copied'));
  byId('rounds').addEventListener('toggle', showRound);
  byId('round').addEventListener('input', () => step(byId('round').value));
  byId('first').addEventListener('click', () => step(1));
  byId('last').addEventListener('click', () => step(trace.rounds.length));
  byId('previous').addEventListener('click', () => step(Number(byId('round').value) - 1));
  byId('next').addEventListener('click', () => step(Number(byId('round').value) + 1));
  window.addEventListener('hashchange', () => {
    readAddress();
    updateAccess();
    updateAlgorithm();
    if (asksForKernel()) byId('kernels').open = true;
    updateKernel();
  });
  let width = innerWidth;
  window.addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    updateAccess();
    showRound();
  });
}

if (embedded) {
  document.documentElement.classList.add('embedded');
  new ResizeObserver(() => tellPage({height: document.body.offsetHeight})).observe(document.body);
  addEventListener('message', ({data}) => {
    if (!data.mmm) return;
    document.documentElement.style.colorScheme = data.mmm.scheme;
    document.documentElement.style.setProperty('--paper', data.mmm.paper);
  });
}

mmm_module().then(begin, (failure) => {
  byId('pattern-error').textContent = `The library could not be started: ${failure}`;
});
