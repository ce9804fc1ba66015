import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policy, strict, withTheme } from '../src/page';

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-aB+/='; img-src data:">`;

test('the page takes the theme of VS Code', () => {
  assert.match(withTheme(page, true), /<html lang="en" data-theme="dark">/);
  assert.match(withTheme(page, false), /<html lang="en" data-theme="light">/);
});

test('a page may run the scripts whose hashes it names', () => {
  assert.ok(strict(policy(page)));
});

test('other pages are refused', () => {
  for (const p of [
    '',
    "default-src 'none'",
    "script-src 'sha256-aB+/='",
    "default-src 'self'; script-src 'sha256-aB+/='",
    "default-src 'none'; script-src 'unsafe-inline'",
    "default-src 'none'; script-src 'sha256-aB+/=' 'unsafe-eval'",
    "default-src 'none'; script-src https:",
  ]) {
    assert.ok(!strict(p), p);
  }
  assert.equal(policy('<html>'), '');
});
