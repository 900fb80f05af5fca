import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publishedPackages } from './workspace.mjs';

// node scripts/claim-names.mjs owner/name [--registry url]
// Once, before the first release of a package, by a maintainer after `npm login`: npm trusts a workflow only for a package
// that exists (https://github.com/npm/cli/issues/8544). Publishes an empty 0.0.0 of each package that npm does not have, and
// prints the commands that let it trust release.yml of the repository.

const { values, positionals } = parseArgs({ allowPositionals: true, options: { registry: { type: 'string' } } });
const [repository] = positionals;
if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '')) throw new Error('name the repository: owner/name');
const registry = values.registry === undefined ? [] : ['--registry', values.registry];
const manifests = publishedPackages().map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));

for (const { name, license } of manifests) {
  const { status, stderr } = spawnSync('npm', ['view', name, 'name', '--loglevel', 'error', ...registry], {
    encoding: 'utf8',
  });
  if (status === 0) continue;
  if (!stderr.includes('E404')) throw new Error(`npm view ${name}: ${stderr}`);
  publishEmpty({ name, license, version: '0.0.0', description: `The name of ${name}, before its first release.` });
}
console.log('\nThen, with npm 11.15 or later:\n');
for (const { name } of manifests) {
  console.log(`npm trust github ${name} --file release.yml --repo ${repository} --env npm --allow-publish --yes`);
}

/** @param {{ name: string, license: string, version: string, description: string }} manifest */
function publishEmpty(manifest) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-claim-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    // npm asks the maintainer for a second factor.
    const { status } = spawnSync('npm', ['publish', '--access', 'public', ...registry], {
      cwd: folder,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`${manifest.name} cannot be published`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
