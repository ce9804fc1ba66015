// The metrics of each kernel, with the names of Nsight Compute.

const metric = name => data.metrics.find(m => m.name === name);
const value = v => v === undefined ? '' : Number.isInteger(v) ? number(v) : v.toFixed(2);
const shortName = name => name.replace(/^void /, '').replace(/\(.*/, '');

// overview are the metrics that the table of all kernels shows.
const overview = ['launches', 'instructions', 'divergence.efficiency', 'coalesce.per_request', 'coalesce.excess', 'bank.excess'];

// change is a value and, compared with an earlier run, that of then.
function change(k, name) {
  const now = k.values[name], was = (k.before || {})[name];
  return was === undefined || was === now ? value(now) : value(was) + ' \u2192 ' + value(now);
}

function drawKernels() {
  const shown = overview.filter(n => data.kernels.some(k => k.values[n] !== undefined));
  document.querySelector('#kerneltable thead').replaceChildren(el('tr', {}, el('th', {scope: 'col'}, 'Kernel'), el('th', {scope: 'col'}, 'findings'),
    ...shown.map(n => el('th', {scope: 'col', title: metric(n).title}, n))));
  document.querySelector('#kerneltable tbody').replaceChildren(...data.kernels.map((k, i) => el('tr', {},
    el('th', {scope: 'row', title: k.name}, el('button', {type: 'button', onclick: () => drawKernel(i)}, shortName(k.name))),
    el('td', {class: 'num'}, number(data.findings.filter(f => f.kernel === k.name).length)),
    ...shown.map(n => el('td', {class: 'num'}, change(k, n))))));
  drawKernel(0);
}

// drawKernel shows all metrics of one kernel.
function drawKernel(i) {
  const k = data.kernels[i];
  document.querySelectorAll('#kerneltable tbody tr').forEach((r, j) => r.classList.toggle('at', i === j));
  $('kernelname').textContent = k.name;
  document.querySelector('#metrics tbody').replaceChildren(...data.metrics.filter(m => k.values[m.name] !== undefined).map(m => el('tr', {},
    el('td', {}, m.name), el('td', {class: 'num'}, change(k, m.name)), el('td', {}, m.title), el('td', {class: 'mono'}, m.nsight || ''))));
}
