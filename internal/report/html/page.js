const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const all = data.findings.concat(data.gone);
const levels = {error: 2, warning: 1, info: 0};
const pageSize = 200;
const states = ['new', 'gone', 'changed', 'same', 'not checked'];
const stateNode = f => el('span', {class: 'state ' + f.state.replace(' ', '-')}, f.state);

// place is the first place of a finding as file and line.
const place = f => f.places && f.places[0] && f.places[0].line ? f.places[0].file + ':' + f.places[0].line :
  f.places && f.places[0] && f.places[0].ptx ? f.places[0].ptx.split(':')[0] : '';

if (data.compared) all.sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state)); // the sort is stable
all.forEach((f, i) => {
  f.order = i;
  f.at = place(f);
  f.search = [f.message, f.at, f.kernel, f.rule, f.kind, f.level, f.state].join(' ').toLowerCase();
});

const columns = [
  {name: 'Level', key: f => -levels[f.level], cell: f => el('span', {class: f.level}, f.level)},
  {name: 'Rule', key: f => f.rule, cell: f => f.rule},
  {name: 'Finding', key: f => f.message, cell: f => f.message},
  {name: 'Place', key: f => [f.places && f.places[0] ? f.places[0].file || '' : '', f.places && f.places[0] ? f.places[0].line || 0 : 0], cell: f => el('span', {title: f.at}, f.at.split('/').pop())},
  {name: 'Count', key: f => -(f.count || 0), cell: f => (f.was === undefined ? '' : number(f.was) + ' \u2192 ') + (f.count ? number(f.count) : '')},
  {name: 'Kernel', key: f => f.kernel || '', cell: f => el('span', {title: f.kernel || ''}, (f.kernel || '').replace(/\(.*/, ''))},
];

if (data.compared) columns.unshift({name: 'Since', key: f => states.indexOf(f.state), cell: f => stateNode(f)});

let shown = [], limit = pageSize, selected = null, sortBy = null, descending = false;

function compare(a, b) {
  if (Array.isArray(a)) return compare(a[0], b[0]) || compare(a[1], b[1]);
  return a < b ? -1 : a > b ? 1 : 0;
}

// filter chooses and orders the findings that the table shows.
function filter() {
  const words = $('text').value.toLowerCase().split(/\s+/).filter(Boolean);
  const want = id => $(id).value;
  shown = all.filter(f => (!want('level') || f.level === want('level')) && (!want('rule') || f.rule === want('rule')) &&
    (!want('kernel') || f.kernel === want('kernel')) && (!data.compared || !want('state') || f.state === want('state')) &&
    words.every(w => f.search.includes(w)));
  if (sortBy) shown.sort((a, b) => (descending ? -1 : 1) * compare(sortBy.key(a), sortBy.key(b)) || a.order - b.order);
  limit = pageSize;
  drawTable();
  if (!shown.includes(selected)) select(shown[0] || null);
}

function drawTable() {
  const rows = shown.slice(0, limit).map(f => el('tr', {id: 'f' + f.order, tabindex: f === selected ? 0 : -1, 'aria-selected': f === selected ? 'true' : 'false',
    onclick: () => { select(f); remember(f); }, onfocus: () => { if (f !== selected) select(f); remember(f); }},
  ...columns.map(c => el('td', {class: c.name.toLowerCase()}, c.cell(f)))));
  document.querySelector('#table tbody').replaceChildren(...rows);
  if (rows.length && !shown.slice(0, limit).includes(selected)) rows[0].tabIndex = 0;
  $('more').hidden = shown.length <= limit;
  $('more').textContent = 'Show ' + number(Math.min(pageSize, shown.length - limit)) + ' more of ' + number(shown.length - limit);
  $('shown').textContent = number(shown.length) + ' of ' + number(all.length);
}

function drawHead() {
  document.querySelector('#table thead tr').replaceChildren(...columns.map(c => el('th', {
    scope: 'col', class: c.name.toLowerCase(), 'aria-sort': sortBy !== c ? 'none' : descending ? 'descending' : 'ascending'},
  el('button', {type: 'button', onclick: () => sort(c)}, c.name + (sortBy !== c ? '' : descending ? ' \u25be' : ' \u25b4')))));
}

function sort(column) {
  if (sortBy === column && descending) { sortBy = null; descending = false; shown.sort((a, b) => a.order - b.order); }
  else { descending = sortBy === column; sortBy = column; }
  drawHead();
  filter();
}

// select shows a finding; null shows that there is none.
function select(f, focus) {
  const mark = (g, on) => {
    const row = g && $('f' + g.order);
    if (row) { row.setAttribute('aria-selected', on ? 'true' : 'false'); row.tabIndex = on ? 0 : -1; }
  };
  mark(selected, false);
  selected = f;
  mark(f, true);
  const row = f && $('f' + f.order);
  if (row && focus) { row.focus(); row.scrollIntoView({block: 'nearest'}); }
  $('detail').replaceChildren(...(f ? detail(f) : [el('p', {}, all.length ? 'No finding fits the filter.' : 'Nothing was found.')]));
}

// remember puts a finding's fingerprint behind the page's address, so that the
// address leads to it. Some browsers refuse that to a page from disk.
function remember(f) {
  try { history.replaceState(null, '', '#' + f.id); } catch (e) { /* it is a convenience */ }
}

// openNamed selects the finding that the address names.
function openNamed() {
  const f = all.find(x => x.id && '#' + x.id === location.hash);
  if (!f) return;
  while (shown.indexOf(f) >= limit) limit += pageSize;
  drawTable();
  select(f);
}

// excerpt is the source around a place.
function excerpt(p) {
  const file = data.files.find(x => x.name === p.file);
  if (!file || !p.line) return p.ptx ? el('pre', {}, p.ptx) : null;
  const lines = linesOf(file), from = Math.max(1, p.line - 2), to = Math.min(lines.length, p.line + 2);
  const text = [];
  for (let n = from; n <= to; n++) {
    const head = (n === p.line ? '> ' : '  ') + String(n).padStart(5) + '  ', end = n < to ? '\n' : '';
    const line = lines[n - 1];
    if (n === p.line && p.to) text.push(head, line.slice(0, p.from || 0), el('mark', {}, line.slice(p.from || 0, p.to)), line.slice(p.to), end);
    else text.push(head + line + end);
  }
  return el('pre', {}, ...text);
}

const linesOf = file => file.split || (file.split = file.text.split('\n'));

// placeNodes describes a place and shows its source. The sources are those of
// the later run: a finding that is gone had others.
function placeNodes(p, gone) {
  const where = p.line ? p.file + ':' + p.line + (p.col ? ':' + p.col : '') : p.ptx ? p.ptx.split(':')[0] : 'unknown position';
  const link = !gone && p.line && data.files.some(x => x.name === p.file) ?
    el('a', {href: '#source', onclick: e => { e.preventDefault(); openSource(p.file, p.line); }}, where) : where;
  return [el('p', {}, (p.what || 'at') + ' ', link, p.inline ? el('span', {class: 'dim'}, ' called at ' + p.inline) : null), gone ? null : excerpt(p)].filter(Boolean);
}

function detail(f) {
  const out = [el('h3', {}, el('span', {class: f.level}, f.level + ' [' + f.rule + '] '), f.message, f.state ? ' ' : null, f.state ? stateNode(f) : null)];
  if (f.was !== undefined) out.push(el('p', {}, 'Now ' + plural(f.count || 0, f.unit || 'time') + ', in the earlier run ' + number(f.was) + '.'));
  if (f.where) out.push(el('p', {class: 'dim'}, f.where));
  if (f.help) out.push(el('p', {class: 'help'}, el('b', {}, 'Fix: '), f.help));
  const picture = drawing(f);
  if (picture) out.push(picture);
  (f.places || []).forEach(p => out.push(...placeNodes(p, f.state === 'gone' || f.state === 'not checked')));
  if (f.notes) out.push(el('h4', {}, 'Notes'), el('ul', {}, ...f.notes.map(n => el('li', {}, n.replace(/^- /, '')))));
  if (f.members) out.push(el('details', {}, el('summary', {}, plural(f.members.length + (f.more || 0), 'more place') + ' of the same cause' + (f.more ? ', ' + number(f.members.length) + ' of them shown' : '')), ...f.members.map(m => memberNode(m, f))));
  const rule = data.rules[f.rule];
  if (rule) out.push(el('details', {}, el('summary', {}, 'What ' + rule.id + ' means: ' + rule.title), el('p', {}, rule.doc), el('p', {}, rule.fix)));
  return out;
}

// memberNode is a button that shows one of the findings that were joined.
function memberNode(m, f) {
  const where = (m.places || []).map(p => p.line ? 'line ' + p.line : p.ptx).join(' and ');
  return el('p', {}, el('button', {type: 'button', onclick: () => {
    const back = el('button', {type: 'button', onclick: () => select(f, true)}, 'Back to all of this cause');
    $('detail').replaceChildren(back, ...detail(m));
    back.focus();
  }}, m.message + (where ? ', ' + where : '')));
}

// reveal shows a finding that the filter may hide.
function reveal(f) {
  if (!shown.includes(f)) { $('text').value = ''; ['level', 'rule', 'kernel', 'state'].forEach(id => { $(id).value = ''; }); filter(); }
  while (shown.indexOf(f) >= limit) limit += pageSize;
  drawTable();
  select(f, true);
  $('findings').scrollIntoView();
}

function move(step) {
  const i = shown.indexOf(selected), to = Math.max(0, Math.min(shown.length - 1, i + step));
  if (to >= limit) { limit += pageSize; drawTable(); }
  if (shown[to]) select(shown[to], true);
}

const keys = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  Enter: () => { const p = selected && (selected.places || [])[0]; if (p && p.line) openSource(p.file, p.line); },
  '/': () => $('text').focus(), t: () => nextTheme(),
  s: () => { $('source').scrollIntoView(); $('codebox').focus({preventScroll: true}); },
  m: () => $('kernels').scrollIntoView(), c: () => $('coverage').scrollIntoView(), n: () => nextHit(1), N: () => nextHit(-1),
  l: () => $('launches').scrollIntoView(), f: () => { $('findings').scrollIntoView(); if (selected) select(selected, true); },
  '?': () => toggleKeys(),
};

document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const tag = e.target.tagName;
  if (e.key === 'Escape' && tag === 'INPUT') {
    if (e.target.value) { e.target.value = ''; e.target.dispatchEvent(new Event('input')); } else e.target.blur();
    return;
  }
  if (e.key === 'Enter' && e.target.id === 'find') { e.preventDefault(); nextHit(e.shiftKey ? -1 : 1); return; }
  if (tag === 'INPUT' || tag === 'SELECT') return;
  const plain = e.target === document.body || tag === 'TR';
  if (!plain && (e.key === 'Enter' || e.key.startsWith('Arrow'))) return;
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
});

const themes = ['system', 'dark', 'light'];
function nextTheme() {
  const now = document.documentElement.dataset.theme || 'system', next = themes[(themes.indexOf(now) + 1) % themes.length];
  if (next === 'system') delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = next;
  $('theme').textContent = 'Theme: ' + next;
}

function toggleKeys() {
  $('keyhelp').hidden = !$('keyhelp').hidden;
  $('keys').setAttribute('aria-expanded', String(!$('keyhelp').hidden));
}

function options(id, values, every) {
  $(id).replaceChildren(el('option', {value: ''}, every), ...values.map(v => el('option', {value: v}, v)));
  $(id).addEventListener('change', filter);
}

const unique = values => [...new Set(values.filter(Boolean))].sort();

function start() {
  $('compared').textContent = data.compared;
  $('compared').hidden = !data.compared;
  $('run').textContent = data.run;
  $('run').hidden = !data.run;
  $('checked').textContent = (data.checked ? 'Checked: ' + data.checked + '. ' : '') + 'warpgrind ' + data.version;
  $('messages').append(...(data.messages || []).map(m => el('li', {}, m)));
  options('level', ['error', 'warning', 'info'], 'all');
  options('rule', unique(all.map(f => f.rule)), 'all');
  options('kernel', unique(all.map(f => f.kernel)), 'all');
  options('state', states, 'all');
  $('statebox').hidden = !data.compared;
  $('filters').addEventListener('submit', e => e.preventDefault());
  $('text').addEventListener('input', filter);
  $('more').addEventListener('click', () => { limit += pageSize; drawTable(); });
  $('theme').textContent = 'Theme: ' + (document.documentElement.dataset.theme || 'system');
  $('theme').addEventListener('click', nextTheme);
  $('keys').addEventListener('click', toggleKeys);
  $('find').addEventListener('input', e => search(e.target.value));
  $('ptxof').replaceChildren(...data.code.map((c, i) => el('option', {value: i}, c.name)));
  $('ptxof').addEventListener('change', e => drawPTX(+e.target.value));
  if (data.kernels.length) drawKernels();
  else $('kernels').hidden = document.querySelector('nav a[href="#kernels"]').hidden = true;
  if (data.coverage && data.coverage.length) drawCoverage();
  else $('coverage').hidden = document.querySelector('nav a[href="#coverage"]').hidden = true;
  $('file').replaceChildren(...data.files.map(f => el('option', {value: f.name}, f.name)));
  $('file').addEventListener('change', e => drawSource(e.target.value));
  drawHead();
  filter();
  const first = all.find(f => f.at), named = first && data.files.find(f => f.name === first.places[0].file);
  if (data.files.length) drawSource((named || data.files[0]).name);
  else $('source').append(el('p', {class: 'dim'}, 'The report has no sources: save it with --save, or render it where they are.'));
  if (data.launches && data.launches.length) $('timeline').append(drawTimeline(data.launches));
  else $('launches').hidden = document.querySelector('nav a[href="#launches"]').hidden = true;
  openNamed();
  window.addEventListener('hashchange', openNamed);
  document.documentElement.dataset.ready = 'true';
}

