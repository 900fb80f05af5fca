import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// node scripts/publish.mjs packed [--provenance] [--registry url]
// Publishes the tarballs of a folder, core first. What the registry has already is left out, so that a run that stopped
// half way is repeated. It needs Node and npm alone: the job that may publish installs nothing.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provenance: { type: 'boolean', default: false }, registry: { type: 'string' } },
});
const [folder = 'packed'] = positionals;
const registry = values.registry === undefined ? [] : ['--registry', values.registry];
const tarballs = readdirSync(folder)
  .filter((name) => name.endsWith('.tgz'))
  .toSorted((one, other) => Number(other.startsWith('sluice-core-')) - Number(one.startsWith('sluice-core-')));

// By its whole path: npm takes `packed/name.tgz` for a repository of GitHub.
for (const tarball of tarballs.map((name) => resolve(folder, name))) publish(tarball);

/** @param {string} tarball */
function publish(tarball) {
  const { name, version } = JSON.parse(output('tar', ['-xzOf', tarball, 'package/package.json']));
  const found = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity', ...registry], { encoding: 'utf8' });
  const published = found.status === 0 ? found.stdout.trim() : '';
  const own = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (published === own) {
    console.log(`${name}@${version} is there`);
    return;
  }
  if (published !== '') throw new Error(`${name}@${version} is there with another content: raise the version`);
  // npm asks for a tag for a version such as 1.0.0-rc.1, which must not become `latest`.
  const tag = version.includes('-') ? ['--tag', 'next'] : [];
  const provenance = values.provenance ? ['--provenance'] : [];
  output('npm', ['publish', tarball, '--access', 'public', ...tag, ...provenance, ...registry]);
  console.log(`${name}@${version} is published`);
}

/** @param {string} command @param {readonly string[]} args */
function output(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${stderr}`);
  return stdout;
}
