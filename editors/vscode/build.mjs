// Bundles the extension into dist/extension.js, and the licenses of what is in there into
// dist/LICENSES.txt.
import { build } from 'esbuild';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const result = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  minify: true,
  metafile: true,
  logLevel: 'warning',
});

// packageOf is the folder of the package that a file belongs to.
function packageOf(file) {
  for (let dir = dirname(file); dir !== '.'; dir = dirname(dir)) {
    if (existsSync(join(dir, 'package.json')) && JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version) return dir;
  }
  throw new Error(`${file} belongs to no package`);
}

const bundled = Object.keys(result.metafile.inputs).filter(f => f.startsWith('node_modules/'));
const packages = [...new Set(bundled.map(packageOf))].sort();
const texts = packages.map(dir => {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const file = readdirSync(dir).find(f => /^licen[cs]e/i.test(f));
  if (!file) throw new Error(`${name} has no license file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(dir, file), 'utf8').trim()}\n`;
});
writeFileSync('dist/LICENSES.txt', 'The extension contains these packages.\n\n' + texts.join('\n' + '-'.repeat(72) + '\n\n'));
copyFileSync('../../LICENSE', 'LICENSE');
