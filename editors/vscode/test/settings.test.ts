import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command, initializationOptions } from '../src/settings';

const settings = { path: '/opt/warpgrind', arguments: ['-I', 'include'], runOnSave: true, programArguments: ['64'] };

test('the server is started with the settings', () => {
  assert.deepEqual(command(settings, true), { command: '/opt/warpgrind', args: ['lsp', '-I', 'include', '--run'] });
  assert.deepEqual(command({ ...settings, runOnSave: false }, true).args, ['lsp', '-I', 'include']);
  assert.deepEqual(initializationOptions(settings), { runStates: true, programArguments: ['64'] });
});

test('without a path it is the command in the PATH', () => {
  assert.equal(command({ ...settings, path: ' ' }, true).command, 'warpgrind');
});

test('in a workspace without trust nothing is compiled or run', () => {
  assert.deepEqual(command(settings, false).args, ['lsp', '--no-check']);
});
