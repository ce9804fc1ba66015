import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Edit, patched } from '../src/edits';

function edit(line: number, character: number, newText: string, endLine = line, end = character): Edit {
  return { range: { start: { line, character }, end: { line: endLine, character: end } }, newText };
}

test('edits are applied where they are in the old text', () => {
  assert.equal(patched('one\ntwo\nthree\n', [edit(2, 0, '// c\n'), edit(0, 3, '!'), edit(1, 0, '2', 1, 3)]), 'one!\n2\n// c\nthree\n');
});

test('of several edits at one place the first comes first', () => {
  assert.equal(patched('ab', [edit(0, 1, '1'), edit(0, 1, '2')]), 'a12b');
});

test('characters are UTF-16 units, and each kind of line end counts', () => {
  assert.equal(patched('/* 𝔘 */ x\r\ny\rz', [edit(0, 9, '_'), edit(1, 0, '_'), edit(2, 1, '_')]), '/* 𝔘 */ _x\r\n_y\rz_');
});

test('a place behind the end is the end', () => {
  assert.equal(patched('a\n', [edit(7, 0, 'b')]), 'a\nb');
  assert.equal(patched('a', [edit(0, 7, 'b')]), 'ab');
});

test('edits that overlap are refused', () => {
  assert.throws(() => patched('abc', [edit(0, 0, 'x', 0, 2), edit(0, 1, 'y')]));
});
