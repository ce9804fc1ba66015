// Coverage: a table of files, one of the open file's functions, and columns beside the source.

// neverReached reports whether a line belongs to a kernel that was launched, and no thread executed it.
const neverReached = n => !!n.covered && n.covered.launched && !n.covered.threads;

// outcome is how often a condition had an outcome.
const outcome = (b, n) => n.threads ? number(n.threads) : b.launched ? 'never' : '0';

// eachBranch has a line of text for each branch of a line of the source. Where there are several, their columns tell them apart.
const eachBranch = (n, text) => (n.branches || []).map(b => (n.branches.length > 1 ? 'col. ' + b.column + ': ' : '') + text(b)).join('\n');

const worstDivergence = n => Math.max(0, ...(n.branches || []).map(b => b.diverged));

// coverageNumbers are columns beside the source (numbers in source.js).
const coverageNumbers = [
  {name: 'threads', class: 'threads', title: 'executions of the line by threads; never: in a kernel that was launched, 0: in code that was not',
    value: n => n.covered ? n.covered.threads : 0, text: n => !n.covered ? '' : neverReached(n) ? 'never' : number(n.covered.threads)},
  {name: 'warps', title: 'executions of the line by warps', value: n => n.covered ? n.covered.warps || 0 : 0,
    text: n => n.covered && n.covered.warps ? number(n.covered.warps) : ''},
  {name: 'true / false', title: 'how often each condition of the line was true and false, by threads', value: () => 0,
    text: n => eachBranch(n, b => outcome(b, b.taken) + ' / ' + outcome(b, b.not_taken))},
  {name: 'diverged', title: 'executions by warps in which a condition was true in some threads and false in others', value: worstDivergence,
    text: n => worstDivergence(n) ? eachBranch(n, b => number(b.diverged)) : ''},
];

// coverageAt has the coverage of a file's lines.
function coverageAt(name) {
  const out = new Map(), file = (data.coverage || []).find(f => f.name === name);
  if (!file) return out;
  const at = line => out.get(line) || out.set(line, {}).get(line);
  (file.at || []).forEach(l => { at(l.line).covered = l; });
  (file.conditions || []).forEach(b => { (at(b.line).branches = at(b.line).branches || []).push(b); });
  return out;
}

// part is a cell with how much of something was executed. What is not complete never shows as 100 %.
const part = (hit, of) => el('td', {class: 'num'}, of ? number(hit) + ' of ' + number(of) + ' (' + Math.floor(100 * hit / of) + ' %)' : '');

const head = (table, ...names) => document.querySelector(table + ' thead').replaceChildren(el('tr', {}, ...names.map(n => el('th', {scope: 'col'}, n))));

// toLine is a button that opens the source at a line, or a text where the page does not have the source.
const toLine = (file, line, text) => data.files.some(f => f.name === file) ?
  el('button', {type: 'button', onclick: () => openSource(file, line)}, text) : text;

// maxRanges bounds the places that a file lists.
const maxRanges = 20;

function missedRanges(f) {
  const all = f.missed || [], out = [];
  all.slice(0, maxRanges).forEach(r => out.push(toLine(f.name, parseInt(r, 10), r), ' '));
  if (all.length > maxRanges) out.push('and ' + number(all.length - maxRanges) + ' more');
  return out;
}

function drawCoverage() {
  head('#coveragetable', 'File', 'lines', 'functions', 'branches', 'lines never reached');
  document.querySelector('#coveragetable tbody').replaceChildren(...data.coverage.map((f, i) => el('tr', {},
    el('th', {scope: 'row'}, el('button', {type: 'button', onclick: () => drawFunctions(i)}, f.name)),
    part(f.lines_hit, f.lines), part(f.functions_hit, f.functions), part(f.branches_hit, f.branches), el('td', {}, ...missedRanges(f)))));
  drawFunctions(0);
}

// drawFunctions shows the functions of a file, with the instances of templates.
function drawFunctions(i) {
  const f = data.coverage[i];
  document.querySelectorAll('#coveragetable tbody tr').forEach((r, j) => r.classList.toggle('at', i === j));
  $('coveragename').textContent = 'Functions of ' + f.name;
  head('#functions', 'Function', 'line', 'threads', 'warps', 'lines', 'branches');
  const counts = (n, launched) => [el('td', {class: 'num' + (launched && !n.threads ? ' missed' : '')}, launched && !n.threads ? 'never' : number(n.threads)),
    el('td', {class: 'num'}, n.warps ? number(n.warps) : '')];
  document.querySelector('#functions tbody').replaceChildren(...f.list.flatMap(n => [
    el('tr', {}, el('th', {scope: 'row'}, toLine(f.name, n.line, n.name)), el('td', {class: 'num'}, String(n.line)), ...counts(n, n.launched),
      part(n.lines_hit, n.lines), part(n.branches_hit, n.branches)),
    ...(n.instances || []).map(x => el('tr', {class: 'dim'}, el('td', {}, '\u2003' + x.name), el('td', {}), ...counts(x, false), el('td', {}), el('td', {})))]));
}
