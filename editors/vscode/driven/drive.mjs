// Drives the packed extension in Visual Studio Code, which runs as a server with Chromium in front, as a
// user would: with the keyboard and the mouse, looking at what is on the screen.
//
//   node drive.mjs BROWSER WARPGRIND VSIX PROGRAM SCREENSHOTS
//
// PROGRAM is a CUDA source with a race, which one barrier repairs. Each step leaves a picture.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [browserPath, warpgrind, vsix, program, shots] = process.argv.slice(2);
const patience = 60_000;
const vscode = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/code-server/lib/vscode/out/server-main.js');
const dir = mkdtempSync(join(tmpdir(), 'warpgrind-vscode-'));
const folder = join(dir, 'project', 'cuda');
const source = join(folder, basename(program));

mkdirSync(folder, { recursive: true });
mkdirSync(shots, { recursive: true });
cpSync(program, source);
cpSync(join(dirname(program), '../check.h'), join(dir, 'project', 'check.h'));
writeFileSync(join(folder, 'endless.cu'), `#include <cstdio>
#include <unistd.h>
__global__ void k() {}
int main() {
  k<<<1, 1>>>();
  std::puts("waiting");
  std::fflush(stdout);
  sleep(600);
}
`);

// settings are the user's, and the path that of the machine where the server is. VS Code reads them
// when its page is loaded.
function settings(more) {
  for (const of of ['User', 'Machine']) mkdirSync(join(dir, 'data', of), { recursive: true });
  writeFileSync(join(dir, 'data/Machine/settings.json'), JSON.stringify({ 'warpgrind.path': warpgrind }));
  writeFileSync(join(dir, 'data/User/settings.json'), JSON.stringify({
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'editor.minimap.enabled': false,
    'files.autoSave': 'off',
    ...more,
  }));
}

// freePort is a port that nothing listens on.
function freePort() {
  return new Promise(resolve => {
    const s = createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
}

settings({});
const places = ['--user-data-dir', join(dir, 'data'), '--server-data-dir', join(dir, 'server'), '--extensions-dir', join(dir, 'extensions')];
const installed = spawnSync(process.execPath, [vscode, ...places, '--accept-server-license-terms', '--install-extension', vsix], { encoding: 'utf8' });
assert.match(installed.stdout, /successfully installed/, installed.stdout + installed.stderr);

const port = await freePort();
const server = spawn(process.execPath, [vscode, ...places, '--accept-server-license-terms', '--without-connection-token', '--host', '127.0.0.1', '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
let serverLog = '';
for (const out of [server.stdout, server.stderr]) out.on('data', b => (serverLog += b));
let browser;
let page;
let picture = 0;

async function shot(name) {
  await page.mouse.move(700, 880);
  await shotHere(name);
}

// shotHere takes a picture and leaves the mouse where it is.
async function shotHere(name) {
  picture++;
  await page.screenshot({ path: join(shots, `${String(picture).padStart(2, '0')}-${name}.png`) });
}

// until waits until f returns what is true, and returns that.
async function until(what, f) {
  for (const end = Date.now() + patience; ; ) {
    let got;
    try {
      got = await f();
    } catch (err) {
      if (Date.now() > end) throw err;
    }
    if (got) return got;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

// palette are the commands that the command palette lists for a text.
async function palette(text) {
  const input = page.locator('.quick-input-widget input.input');
  await until('the command palette', async () => {
    if (!(await input.isVisible())) await page.keyboard.press('F1');
    await page.waitForTimeout(200);
    return input.isVisible();
  });
  await input.fill('>' + text);
  await page.waitForTimeout(700);
  return (await page.locator('.quick-input-widget .monaco-list-row .quick-input-list-label .label-name, .quick-input-widget .monaco-list-row .label-name').allInnerTexts()).map(plain);
}

async function command(name) {
  await until(`the command ${name}`, async () => {
    const listed = await palette(name);
    if (listed.includes(name)) return true;
    await escape();
    return false;
  });
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: name }).first().click();
}

async function escape() {
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

// plain is a text with ordinary blanks.
function plain(text) {
  return text.replace(/[\u00a0\u00b7]/g, ' ').trim();
}

const status = async () => plain(await page.locator('.statusbar-item[id*="warpgrind.run"]').innerText());
// ended waits until no program runs and the status bar shows a text.
async function ended(text) {
  await until(`"${text}" in the status bar`, async () => (await status()) === text && (await page.locator('.statusbar-item[id*="warpgrind.run"] .codicon-sync').count()) === 0);
}
const problems = async () => (await page.locator('.markers-panel .monaco-list-row').allInnerTexts()).map(plain);
const editor = async () => (await page.locator('.editor-instance .view-lines').first().innerText()).split('\n').map(plain).join('\n');

// at puts the cursor into the source.
async function at(line, column = 1) {
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input.input').waitFor();
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press('Enter');
}

async function open(file) {
  await page.goto(`http://127.0.0.1:${port}/?folder=${folder}&payload=${encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${file}`]]))}`);
  await page.locator('.editor-instance .view-lines').first().waitFor({ timeout: patience });
}

// report is the frame of the report's page.
async function report() {
  return until('the report', async () => {
    for (const frame of page.frames()) {
      if ((await frame.locator('#table tbody tr').count()) > 0 && (await frame.title()).startsWith('warpgrind')) return frame;
    }
    return undefined;
  });
}

const text = readFileSync(source, 'utf8');
const lines = text.split('\n');
const read = 1 + lines.findIndex(l => l.includes('out[id] = s['));

// The steps, in order. Each begins where the one before it ends.
const steps = {
  async 'nothing is compiled or run in a workspace without trust'() {
    await open(source);
    await ended('warpgrind');
    const listed = await palette('warpgrind: ');
    await shot('restricted');
    await escape();
    assert.ok(listed.includes('warpgrind: Show report'), listed.join());
    assert.ok(!listed.some(c => /Run|Fix/.test(c)), listed.join());
    await command('Problems: Focus on Problems View');
    await page.waitForTimeout(2000);
    assert.ok(!(await problems()).some(p => p.includes('race')), (await problems()).join('\n'));
  },

  async 'with trust, problems are shown without a run'() {
    await command('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').waitFor();
    await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
    await command('View: Close Editor');
    await command('Problems: Focus on Problems View');
    await until('the problem', async () => (await problems()).some(p => p.includes('race')));
    assert.equal(await status(), 'warpgrind');
    await shot('typed');
  },

  async 'a run shows its findings, and its state in the status bar'() {
    await at(1);
    await command('warpgrind: Run this file');
    await ended('warpgrind: 1 error');
    await command('Problems: Focus on Problems View');
    const list = await problems();
    assert.ok(list.some(p => /data race: read and write of s\[1\]/.test(p)), list.join('\n'));
    await shot('run');
  },

  async 'what the program prints is in the output channel'() {
    await command('Output: Focus on Output View');
    await until('the output', async () => plain(await page.locator('.output-view-wrapper, .panel .view-lines').last().innerText()).includes("saw their neighbor's value"));
    await shot('output');
  },

  async 'hovering over a finding explains it'() {
    await page.locator('.editor-instance .view-line', { hasText: 'out[id]' }).locator('span span').last().hover();
    const hover = page.locator('.monaco-hover', { hasText: 'error[race]' });
    await hover.waitFor({ timeout: patience });
    const all = plain(await hover.innerText());
    assert.match(all, /written by thread \(1,0,0\)/);
    assert.match(all, /add __syncthreads\(\) between line/);
    await page.waitForTimeout(500); // it fades in
    await shotHere('hover');
    await page.keyboard.press('Escape');
  },

  async 'a quick fix inserts the barrier that was verified'() {
    await at(read, lines[read - 1].indexOf('s[') + 1);
    await page.keyboard.press('Control+.');
    const action = page.locator('.action-widget .monaco-list-row', { hasText: '__syncthreads() after line 7 (verified)' });
    await action.waitFor({ timeout: patience });
    await shot('quick-fix');
    await action.click();
    await until('the barrier', async () => (await editor()).includes('__syncthreads();'));
    await command('Problems: Focus on Problems View');
    await until('no problem', async () => !(await problems()).some(p => p.includes('data race')));
    await shot('quick-fix-applied');
    await at(1);
    await page.keyboard.press('Control+z');
    await until('the old text', async () => !(await editor()).includes('__syncthreads();'));
  },

  async 'the report is shown beside the editor, with its script and nothing else'() {
    await at(1);
    await command('warpgrind: Show report');
    const frame = await report();
    assert.match(plain(await frame.locator('body').innerText()), /data race: read and write of s\[1\]/);
    assert.match(await frame.locator('meta[http-equiv]').getAttribute('content'), /^default-src 'none'; .*script-src 'sha256-[^' ]*'; img-src data:$/);
    await frame.locator('#detail svg').first().waitFor();
    await shot('report');
    await command('View: Focus First Editor Group');
  },

  async 'fixing shows a diff, and applies it'() {
    await command('warpgrind: Fix this file');
    await page.locator('.monaco-diff-editor').waitFor({ timeout: patience });
    const modified = page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor .view-lines, .monaco-diff-editor .editor.modified .view-lines').first();
    await until('the patched text', async () => (await modified.innerText()).includes('__syncthreads'));
    const apply = page.locator('.notifications-toasts .monaco-button', { hasText: 'Apply' });
    await apply.waitFor();
    await page.waitForTimeout(500); // it fades in
    await shot('diff');
    assert.equal(readFileSync(source, 'utf8'), text);
    await apply.click();
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached', timeout: patience });
    await until('the barrier', async () => (await editor()).includes('__syncthreads();'));
    await page.keyboard.press('Control+s');
    await until('the saved file', () => readFileSync(source, 'utf8').includes('    __syncthreads();\n'));
  },

  async 'run again is clean, and the open report follows'() {
    await command('warpgrind: Run again');
    await ended('warpgrind: clean');
    await until('a clean report', async () => {
      for (const frame of page.frames()) if ((await frame.title()) === 'warpgrind: clean') return true;
      return false;
    });
    await shot('clean');
    await command('View: Close Editors in Other Groups');
  },

  async 'with the setting, what is saved is run'() {
    settings({ 'warpgrind.runOnSave': true });
    await open(source);
    await ended('warpgrind');
    await at(1 + readFileSync(source, 'utf8').split('\n').findIndex(l => l.includes('__syncthreads')));
    await command('Delete Line');
    await page.keyboard.press('Control+s');
    await ended('warpgrind: 1 error');
    await shot('saved');
  },

  async 'a finding that an edit makes out of date is checked again'() {
    await at(read, lines[read - 1].indexOf('1') + 1);
    await page.keyboard.press('Delete');
    await page.keyboard.type('2');
    await command('Problems: Focus on Problems View');
    await until('the new finding', async () => (await problems()).some(p => p.includes('read and write of s[2]')));
    assert.ok(!readFileSync(source, 'utf8').includes('id + 2'));
    await shot('checked-again');
  },

  async 'a run can be stopped'() {
    settings({});
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await open(join(folder, 'endless.cu'));
    await at(1);
    await command('warpgrind: Run this file');
    await until('the run', async () => (await status()) === 'warpgrind' && (await page.locator('.statusbar-item[id*="warpgrind.run"] .codicon-sync').count()) === 1);
    await shot('running');
    await command('warpgrind: Stop');
    await ended('warpgrind: stopped');
    await shot('stopped');
  },
};

let failures = 0;
try {
  await until('VS Code', async () => (await fetch(`http://127.0.0.1:${port}/version`)).ok);
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(patience);
  for (const [name, run] of Object.entries(steps)) {
    const began = Date.now();
    try {
      await run();
      console.log(`ok   ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (err) {
      failures++;
      await shot('failed');
      console.log(`FAIL ${name}\n${err.stack}`);
      break;
    }
  }
} finally {
  await browser?.close();
  server.kill();
  if (failures) console.log(serverLog.slice(-2000));
  rmSync(dir, { recursive: true, force: true });
}
console.log(`pictures: ${shots}`);
process.exitCode = failures ? 1 : 0;
