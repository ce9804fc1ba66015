'use strict';

// el makes an element: attributes, then children (nodes or text).
function el(name, attrs, ...children) {
  const e = document.createElement(name);
  set(e, attrs);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

function svg(name, attrs, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  set(e, attrs);
  e.append(...children);
  return e;
}

function set(e, attrs) {
  for (const [k, v] of Object.entries(attrs || {})) {
    if (k === 'class') e.setAttribute('class', v);
    else if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v !== undefined) e.setAttribute(k, v);
  }
}

const number = n => n.toLocaleString('en-US');
const plural = (n, thing) => n === 1 ? '1 ' + thing : number(n) + ' ' + thing + (thing.endsWith('s') ? 'es' : 's');

// drawing returns what there is to see of a finding, or null.
function drawing(f) {
  const d = f.details;
  if (!d) return null;
  if (f.rule === 'race' && d.first && d.first.thread && d.then && d.then.thread) return drawRace(f, d);
  if (f.rule === 'bank' && Array.isArray(d.histogram)) return drawBanks(d);
  if (f.rule === 'coalesce' && d.pattern) return drawSectors(d);
  return null;
}

const clip = (s, n) => s.length > n ? s.slice(0, n - 1) + '\u2026' : s;
const coord = c => '(' + c.x + ',' + c.y + ',' + c.z + ')';

// drawRace shows two threads as two lines from top to bottom, the barrier
// interval around their accesses, and that nothing joins them.
function drawRace(f, d) {
  const g = svg('svg', {viewBox: '0 0 640 250', width: 640, role: 'img', 'aria-label': raceText(d)});
  const blocks = coord(d.first.thread.block) !== coord(d.then.thread.block);
  const since = d.interval && d.interval.number > 0 ? 'after the ' + d.interval.after : "from the kernel's start";
  const places = f.places || [];
  const side = (x, a, cls, y) => {
    const same = places.find(p => p.what && p.what.includes('thread ' + coord(a.thread.thread) + ' of block ' + coord(a.thread.block)) && roleFits(p.what, a.kind));
    const where = same && same.line ? ' at line ' + same.line : '';
    g.append(
      svg('text', {x, y: 20, 'text-anchor': 'middle'}, 'thread ' + coord(a.thread.thread) + ', block ' + coord(a.thread.block)),
      svg('text', {x, y: 36, 'text-anchor': 'middle', class: 'dim'}, 'warp ' + a.thread.warp + ', lane ' + a.thread.lane),
      svg('line', {x1: x, x2: x, y1: 62, y2: 212, class: 'bar', 'stroke-opacity': .4}),
      svg('circle', {cx: x, cy: y, r: 7, class: cls}),
      svg('text', {x: x < 300 ? x - 14 : x + 14, y: y - 4, 'text-anchor': x < 300 ? 'end' : 'start'}, a.kind + where),
      svg('text', {x: x < 300 ? x - 14 : x + 14, y: y + 12, 'text-anchor': x < 300 ? 'end' : 'start', class: 'dim'},
        clip(plural(a.size, 'byte') + (a.value ? ', value ' + a.value : ''), 28)));
  };
  g.append(
    svg('rect', {x: 8, y: 62, width: 624, height: 150, class: 'frame'}),
    svg('text', {x: 14, y: 58, class: 'dim'}, blocks ? 'one launch: barriers do not join its blocks' : 'barrier interval: ' + since),
    svg('text', {x: 14, y: 228, class: 'dim'}, blocks ? "until the kernel's end" : "until the block's next barrier or the kernel's end"),
    svg('line', {x1: 228, y1: 108, x2: 412, y2: 168, class: 'cross'}),
    svg('text', {x: 320, y: 120, 'text-anchor': 'middle', class: 'error'}, '\u2715 not ordered'));
  side(220, d.first, 'first', 105);
  side(420, d.then, 'then', 170);
  return el('figure', {style: 'margin:0'}, g, el('figcaption', {class: 'dim'}, raceText(d)));
}

function roleFits(role, kind) {
  return (role || '').slice(0, 3) === (kind || '').slice(0, 3) || (role || '').startsWith('writ') && (kind || '').startsWith('writ');
}

function raceText(d) {
  const name = d.variable ? d.variable + (d.index >= 0 ? '[' + d.index + ']' : '') : 'memory';
  return 'Two threads access ' + plural(d.bytes || 0, 'byte') + ' of ' + name + ': ' + (d.reason || 'nothing orders them') + '.';
}

// lanesOf returns the lanes of a pattern with their byte offsets.
function lanesOf(p) {
  return (p.offsets || []).map((offset, i) => ({lane: (p.lanes || [])[i], offset})).filter(l => l.lane !== undefined);
}

const list = lanes => {
  const runs = [];
  for (const l of lanes) {
    const r = runs[runs.length - 1];
    if (r && r[1] === l - 1) r[1] = l; else runs.push([l, l]);
  }
  return runs.map(r => r[0] === r[1] ? r[0] : r[0] + '-' + r[1]).join(' ');
};

// drawBanks shows each bank with what it had to deliver in the worst request
// and the lanes that asked for it.
function drawBanks(d) {
  const banks = d.histogram.length;
  const hit = Array.from({length: banks}, () => new Set());
  if (d.pattern) {
    for (const l of lanesOf(d.pattern)) {
      for (let b = 0; b < Math.max(d.pattern.size, 1); b += 4) hit[Math.floor((l.offset + b) / 4) % banks].add(l.lane);
    }
  }
  const worst = Math.max(...d.histogram);
  const box = el('div', {class: 'banks', role: 'list', 'aria-label': 'banks of the worst request'});
  d.histogram.forEach((n, bank) => {
    const lanes = [...hit[bank]].sort((a, b) => a - b);
    box.append(el('div', {role: 'listitem', class: n > 1 && n === worst ? 'hot' : '', style: heat(n - 1, Math.max(worst - 1, 1)),
      title: 'bank ' + bank + ': ' + plural(n, 'word') + (lanes.length ? ', lanes ' + list(lanes) : '')},
    el('b', {}, 'bank ' + bank), n ? n + '\u00d7' : '\u2013', lanes.length ? el('div', {class: 'mono'}, (lanes.length > 1 ? 'lanes ' : 'lane ') + list(lanes)) : null));
  });
  const text = 'The worst request: how many words each bank delivers one after the other' +
    (d.pattern ? ', and the lanes that ask for them.' : '.');
  return el('figure', {style: 'margin:0'}, box, el('figcaption', {class: 'dim'}, text));
}

const heat = (value, most) => value > 0 ? 'background:rgba(var(--heat),' + (.12 + .5 * Math.min(1, value / most)).toFixed(2) + ')' : '';

const maxSectors = 128;

// drawSectors shows the 32-byte sectors that one warp's access touches, and
// which bytes of each are used.
function drawSectors(d) {
  const sectors = new Map();
  for (const l of lanesOf(d.pattern)) {
    for (let b = l.offset; b < l.offset + d.pattern.size; b++) {
      const s = Math.floor(b / 32);
      if (!sectors.has(s)) sectors.set(s, {bytes: new Set(), lanes: new Set()});
      sectors.get(s).bytes.add(b - 32 * s);
      sectors.get(s).lanes.add(l.lane);
    }
  }
  const ids = [...sectors.keys()].sort((a, b) => a - b);
  const box = el('div', {class: 'sectors', role: 'list', 'aria-label': 'sectors of one access'});
  for (const s of ids.slice(0, maxSectors)) {
    const {bytes, lanes} = sectors.get(s);
    const strip = el('span', {class: 'bytes'});
    for (const b of bytes) strip.append(el('i', {style: 'left:' + 3.125 * b + '%;width:3.125%'}));
    box.append(el('div', {class: 'sector', role: 'listitem'}, el('b', {}, 'byte +' + 32 * s), strip,
      bytes.size + ' of 32', el('div', {class: 'mono'}, (lanes.size > 1 ? 'lanes ' : 'lane ') + list([...lanes].sort((a, b) => a - b)))));
  }
  const used = ids.reduce((n, s) => n + sectors.get(s).bytes.size, 0);
  const text = 'One warp\u2019s access: ' + plural(ids.length, 'sector') + ' of 32 bytes; ' + number(used) + ' of ' +
    number(32 * ids.length) + ' bytes are used.';
  return el('figure', {style: 'margin:0'}, box, el('figcaption', {class: 'dim'}, text));
}

// drawTimeline shows the launches one after the other, as long as they have
// instructions.
function drawTimeline(launches) {
  const box = document.createDocumentFragment();
  const total = launches.reduce((n, l) => n + l.instructions, 0);
  if (!launches.length) return el('p', {class: 'dim'}, 'The report has no list of launches.');
  box.append(el('p', {class: 'dim'}, 'In the order of the run; a bar is as long as the launch has thread instructions, of ' + number(total) + ' in all.'));
  let before = 0;
  const shown = launches.slice(0, 500);
  for (const l of shown) {
    const ids = l.count > 1 ? l.id + ' to ' + (l.id + l.count - 1) : '' + l.id;
    const at = total ? 100 * before / total : 0, width = total ? 100 * l.instructions / total : 0;
    before += l.instructions;
    box.append(el('div', {class: 'launch'},
      el('span', {class: 'name'}, 'launch ' + ids + ': ' + l.kernel_name),
      el('span', {class: 'track', 'aria-hidden': 'true'}, el('i', {style: 'left:' + at.toFixed(3) + '%;width:' + width.toFixed(3) + '%'})),
      el('span', {class: 'what'}, '<<<' + coord(l.grid) + ', ' + coord(l.block) + (l.shared_dynamic ? ', ' + l.shared_dynamic : '') + '>>> ' + plural(l.instructions, 'instruction'))));
  }
  if (shown.length < launches.length) box.append(el('p', {class: 'dim'}, number(launches.length - shown.length) + ' more are in the JSON report.'));
  return box;
}
