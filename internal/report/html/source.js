// The source with numbers at its lines, and beside it the PTX of a kernel.

// numbers are the columns beside the source; each has a value to rank lines by,
// the least value that has the full color where no line has more, and a text,
// so that nothing is told by color alone.
const numbers = [
  ...coverageNumbers,
  {name: 'warp instr.', title: 'executions of PTX instructions by warps', value: n => n.warps || 0, text: n => n.warps ? number(n.warps) : ''},
  {name: 'accesses', title: 'executions by warps of memory instructions', value: n => n.executions || 0, text: n => n.executions ? number(n.executions) : ''},
  {name: 'bank', least: 3, title: 'passes of shared memory per pass that is needed; n-way is the worst', value: n => n.passes ? n.passes / n.passes_ideal - 1 : 0,
    text: n => n.passes ? (n.passes / n.passes_ideal).toFixed(1) + '\u00d7' + (n.degree > 1 ? ' ' + n.degree + '-way' : '') : ''},
  {name: 'sectors', least: 3, title: 'sectors (lines, transactions) per access, and how many would do', value: n => n.units ? n.units / Math.max(1, n.units_ideal) - 1 : 0,
    text: n => n.units ? (n.units / n.requests).toFixed(1) + ' (' + (n.units_ideal / n.requests).toFixed(1) + ')' : ''},
  {name: 'constant', least: 3, title: 'passes of constant memory per access', value: n => n.constant ? n.constant / n.constant_requests - 1 : 0,
    text: n => n.constant ? (n.constant / n.constant_requests).toFixed(1) + '\u00d7' : ''},
  {name: 'idle', least: .5, title: "share of the kernel's lanes that this branch leaves idle", value: n => n.idle || 0, text: n => n.idle ? (100 * n.idle).toFixed(1) + ' %' : ''},
];

// marks are the findings by file and line.
const marks = new Map();
for (const f of data.findings) {
  for (const p of [f, ...(f.members || [])].flatMap(g => g.places || [])) {
    const k = p.file + ':' + p.line;
    if (!marks.has(k)) marks.set(k, new Set());
    marks.get(k).add(f);
  }
}

function markCell(file, line) {
  const ms = [...(marks.get(file + ':' + line) || [])].sort((a, b) => levels[b.level] - levels[a.level]);
  if (!ms.length) return el('td', {class: 'mark'});
  const worst = ms[0];
  const letter = {error: 'E', warning: 'W', info: 'I'}[worst.level];
  return el('td', {class: 'mark'}, el('button', {type: 'button', class: worst.level, title: ms.slice(0, 20).map(m => m.message).join('\n'),
    'aria-label': plural(ms.length, 'finding') + ', worst ' + worst.level + ': ' + worst.message,
    onclick: () => { reveal(worst); }}, letter + (ms.length > 1 ? ' ' + ms.length : '')));
}

// The tokens that have a color; whatever else a line has is left as it is.
const words = (list) => '\\b(?:' + list.replace(/ /g, '|') + ')\\b';
const cppSyntax = new RegExp([
  '(?<comment>//.*|/\\*.*?(?:\\*/|$))',
  '(?<string>"(?:\\\\.|[^"\\\\])*"?|\'(?:\\\\.|[^\'\\\\])+\')',
  '(?<directive>^\\s*#\\s*\\w+)',
  '(?<keyword>' + words('__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __launch_bounds__ __cluster_dims__ __grid_constant__ __forceinline__ __noinline__ ' +
    'threadIdx blockIdx blockDim gridDim warpSize auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false float for friend goto if inline int long ' +
    'mutable namespace new nullptr operator private protected public register return short signed sizeof static static_assert struct switch template this throw true try typedef typename union unsigned using virtual void volatile while') + ')',
  '(?<number>\\b(?:0[xX][\\da-fA-F\']+|\\d[\\d\'.]*(?:[eE][-+]?\\d+)?)[uUlLfF]*)',
].join('|'), 'g');
const ptxSyntax = /(?<keyword>^(?:@!?%\w+ )?[a-z]\w*(?:\.[\w:]+)*)|(?<register>%\w+(?:\.[xyzw])?)|(?<number>\b(?:0[xX][\da-fA-F]+|0[fd][\dA-F]{8,16}|-?\d+)\b)/g;

// colored is a line as nodes; a comment that began in a line before continues.
function colored(line, syntax, open) {
  const out = [];
  let at = 0;
  if (open.comment) {
    const end = line.indexOf('*/');
    at = end < 0 ? line.length : end + 2;
    open.comment = end < 0;
    out.push(el('span', {class: 't-comment'}, line.slice(0, at)));
  }
  syntax.lastIndex = at;
  for (let m; (m = syntax.exec(line)) && m[0]; at = syntax.lastIndex) {
    const kind = Object.keys(m.groups).find(k => m.groups[k] !== undefined);
    out.push(line.slice(at, m.index), el('span', {class: 't-' + kind}, m[0]));
    if (kind === 'comment' && m[0].startsWith('/*') && !(m[0].length > 3 && m[0].endsWith('*/'))) open.comment = true;
  }
  out.push(line.slice(at));
  return out;
}

// maxColored bounds the lines that are colored, which takes time.
const maxColored = 5000;

// executed adds up by line of a file what warps executed of its instructions.
function executed(name) {
  const index = data.files.findIndex(f => f.name === name), out = new Map();
  for (const c of data.code) for (const [, , file, line, warps] of c.lines) if (file === index && line) out.set(line, (out.get(line) || 0) + warps);
  return out;
}

let openFile = null;
function drawSource(name) {
  const file = data.files.find(f => f.name === name);
  openFile = name;
  if (!file) return;
  $('file').value = name;
  const warps = executed(name), lines = linesOf(file), reached = coverageAt(name);
  const of = lines.map((_, i) => ({...(file.lines || {})[i + 1], warps: warps.get(i + 1), ...reached.get(i + 1)}));
  const used = numbers.filter(c => of.some(n => c.text(n)));
  const most = used.map(c => of.reduce((m, n) => Math.max(m, c.value(n)), c.least || 0));
  document.querySelector('#code thead').replaceChildren(el('tr', {}, el('th', {}, 'line'), el('th', {}, ''),
    ...used.map(c => el('th', {title: c.title}, c.name)), el('th', {style: 'text-align:left'}, name)));
  const open = {comment: false}, plain = lines.length > maxColored;
  const rows = lines.map((text, i) => el('tr', {id: 'L' + (i + 1), class: (of[i].warps ? 'ran' : '') + (neverReached(of[i]) ? ' missed' : ''), onclick: e => { if (!e.target.closest('button')) showPTX(i + 1); }},
    el('td', {class: 'no'}, String(i + 1)), markCell(name, i + 1),
    ...used.map((c, k) => el('td', {class: 'num ' + (c.class || ''), style: heat(c.value(of[i]), most[k])}, c.text(of[i]))),
    el('td', {}, ...(plain ? [text] : colored(text, cppSyntax, open)))));
  document.querySelector('#code tbody').replaceChildren(...rows);
  $('legend').textContent = used.length ? used.map(c => c.name + ': ' + c.title).join('; ') :
    'Numbers at the lines come with the performance rules (--tool all).';
  drawPTX(data.code.findIndex(c => c.lines.some(l => l[2] === data.files.indexOf(file))));
}

// drawPTX shows the PTX of a kernel by its number, -1 for none.
function drawPTX(index) {
  const c = data.code[index];
  $('ptxpane').hidden = !data.code.length;
  if (!c) return;
  $('ptxof').value = index;
  const most = c.lines.reduce((m, l) => Math.max(m, l[4]), 0);
  document.querySelector('#ptx tbody').replaceChildren(...c.lines.map(([text, no, file, line, warps, threads]) =>
    el('tr', {'data-file': file, 'data-line': line, onclick: () => { if (file >= 0 && line) openSource(data.files[file].name, line, true); }},
      el('td', {class: 'no'}, no), el('td', {class: 'no'}, line || ''),
      el('td', {class: 'num', style: heat(warps, most)}, number(warps)), el('td', {class: 'num'}, number(threads)),
      el('td', {}, ...colored(text, ptxSyntax, {})))));
  if (!c.lines.length) document.querySelector('#ptx tbody').replaceChildren(el('tr', {}, el('td', {colspan: 5}, 'Too long to be listed.')));
}

// showPTX marks the instructions of a line of the open file, in a kernel that has any.
function showPTX(line, keep) {
  document.querySelectorAll('#code tr.at, #ptx tr.at').forEach(r => r.classList.remove('at'));
  const row = $('L' + line), index = data.files.findIndex(f => f.name === openFile);
  if (row) row.classList.add('at');
  const has = c => c && c.lines.some(l => l[2] === index && l[3] === line);
  if (!has(data.code[$('ptxof').value])) drawPTX(data.code.findIndex(has));
  const of = [...document.querySelectorAll('#ptx tr[data-file="' + index + '"][data-line="' + line + '"]')];
  of.forEach(r => r.classList.add('at'));
  if (of.length && !keep) $('ptxbox').scrollTop = of[0].offsetTop - 60;
}

function openSource(file, line, fromPTX) {
  if (openFile !== file) drawSource(file);
  showPTX(line, fromPTX);
  const row = $('L' + line);
  if (!row) return;
  if (!fromPTX) $('source').scrollIntoView();
  $('codebox').scrollTop = row.offsetTop - $('codebox').clientHeight / 2;
  $('codebox').focus({preventScroll: true});
}

// Searching marks the rows of source and PTX that have a text, and goes from one to the next.
let hits = [], hit = -1;
function search(text) {
  document.querySelectorAll('#source tr.hit').forEach(r => r.classList.remove('hit'));
  const want = text.toLowerCase();
  hits = want ? [...document.querySelectorAll('#code tbody tr, #ptx tbody tr')].filter(r => r.lastChild.textContent.toLowerCase().includes(want)) : [];
  hits.forEach(r => r.classList.add('hit'));
  hit = -1;
  nextHit(1);
}

function nextHit(step) {
  if (hits.length) {
    hit = (hit + step + hits.length) % hits.length;
    const box = hits[hit].closest('.codebox');
    box.scrollTop = hits[hit].offsetTop - box.clientHeight / 2;
  }
  $('hits').textContent = $('find').value ? (hits.length ? (hit + 1) + ' of ' + number(hits.length) : 'not found') : '';
}
