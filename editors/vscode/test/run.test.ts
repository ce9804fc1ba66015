import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunState, active, firstLine, status } from '../src/run';

const state: RunState = { uri: 'file:///k.cu', phase: 'done', errors: 0, warnings: 0, infos: 0, patches: 0, seconds: 1.26, summary: '1 launch: 0 findings' };

test('before a run a click runs the file', () => {
  const s = status(undefined, '');
  assert.equal(s.command, 'warpgrind.runFile');
  assert.equal(s.text, '$(beaker) warpgrind');
});

test('a run that has not ended can be stopped', () => {
  for (const phase of ['running', 'fixing'] as const) {
    const s = status({ ...state, phase, errors: 1 }, 'k.cu');
    assert.equal(s.command, 'warpgrind.stopRuns');
    assert.ok(s.text.startsWith('$(sync~spin) warpgrind'));
    assert.ok(active({ ...state, phase }));
  }
  assert.ok(!active(state));
});

test('the end of a run leads to its report', () => {
  const clean = status(state, 'k.cu');
  assert.deepEqual(clean, { text: '$(pass) warpgrind: clean', tooltip: 'k.cu: 1 launch: 0 findings (1.3 s). Click for the report.', command: 'warpgrind.showReport' });
  const wrong = status({ ...state, errors: 2, warnings: 1, patches: 1 }, 'k.cu');
  assert.equal(wrong.text, '$(error) warpgrind: 2 errors, 1 warning');
  assert.equal(wrong.color, 'error');
  assert.match(wrong.tooltip, /1 verified patch\./);
  assert.equal(status({ ...state, warnings: 1 }, 'k.cu').color, 'warning');
  assert.equal(status({ ...state, infos: 3 }, 'k.cu').text, '$(pass) warpgrind: 3 infos');
});

test('a program that could not be run, or was stopped', () => {
  const s = status({ ...state, phase: 'failed', message: 'it does not compile\nk.cu:1: ...' }, 'k.cu');
  assert.equal(s.text, '$(warning) warpgrind: not run');
  assert.equal(s.tooltip, 'k.cu: it does not compile');
  assert.equal(status({ ...state, phase: 'stopped', summary: undefined }, 'k.cu').command, 'warpgrind.runAgain');
  assert.equal(status({ ...state, phase: 'stopped' }, 'k.cu').command, 'warpgrind.showReport');
});

test('the first line of a message', () => {
  assert.equal(firstLine('\na\nb'), 'a');
  assert.equal(firstLine(undefined), '');
});
