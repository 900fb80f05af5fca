import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// node scripts/publish.mjs packed [--provenance] [--registry url]
// Publishes the tarballs of a folder, each after those that it depends on. What the registry has already is left out, so
// that a run that stopped half way is repeated. It needs Node and npm alone: the job that may publish installs nothing.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provenance: { type: 'boolean', default: false }, registry: { type: 'string' } },
});
const [folder = 'packed'] = positionals;
const registry = values.registry === undefined ? [] : ['--registry', values.registry];

/** @typedef {{ tarball: string, name: string, version: string, dependencies?: Record<string, string> }} Packed */

// By its whole path: npm takes `packed/name.tgz` for a repository of GitHub.
const tarballs = readdirSync(folder).flatMap((name) => (name.endsWith('.tgz') ? [resolve(folder, name)] : []));
for (const packed of inOrder(tarballs.map(readTarball))) publish(packed);

/** @param {string} tarball @returns {Packed} */
function readTarball(tarball) {
  return { tarball, ...JSON.parse(output('tar', ['-xzOf', tarball, 'package/package.json'])) };
}

/** @param {Packed[]} left @returns {Packed[]} */
function inOrder(left) {
  const names = new Set(left.map(({ name }) => name));
  const first = left.filter(({ dependencies = {} }) => !Object.keys(dependencies).some((name) => names.has(name)));
  if (first.length === 0 && left.length > 0) throw new Error(`packages depend on each other: ${[...names].join(', ')}`);
  const rest = left.filter((packed) => !first.includes(packed));
  return left.length === 0 ? [] : [...first, ...inOrder(rest)];
}

/** @param {Packed} packed */
function publish({ tarball, name, version }) {
  const published = integrityOf(`${name}@${version}`);
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

/** What the registry has of a version. Empty when it has none. @param {string} version */
function integrityOf(version) {
  // Under `npm run --silent` it would not say why.
  const command = ['view', version, 'dist.integrity', '--loglevel', 'error', ...registry];
  const { status, stdout, stderr } = spawnSync('npm', command, { encoding: 'utf8' });
  if (status !== 0 && !stderr.includes('E404')) throw new Error(`npm view ${version}: ${stderr}`);
  return status === 0 ? stdout.trim() : '';
}

/** @param {string} command @param {readonly string[]} args */
function output(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${stderr}`);
  return stdout;
}
