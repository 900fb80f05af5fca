import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { installCommands, packPackages } from './pack.mjs';
import { notesOf } from './release-notes.mjs';
import { isMain, root } from './root.mjs';

const HELP = `npm run tool -- pack [--tag v1.2.3] [--repository https://github.com/owner/name]

Packs every package into packed/, with a bill of materials, and prints how to install them. The notes of a version that has
a section in CHANGELOG.md are there too.

--tag          the tag of a release, which must be the version of the packages and have a section in CHANGELOG.md
--repository   the page of the repository, which goes into each package.json: npm compares it with the workflow's`;

/**
 * What an application that installs all packages gets: a bill of materials in the format CycloneDX.
 *
 * @param {readonly string[]} tarballs
 * @param {string} version
 */
export function billOfMaterials(tarballs, version) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sbom-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'sluice', version, private: true }));
    npm(folder, ['install', '--package-lock-only', '--omit=peer', '--no-audit', '--no-fund', ...tarballs]);
    return npm(folder, ['sbom', '--package-lock-only', '--omit=peer', '--sbom-format=cyclonedx']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function npm(cwd, args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${stderr}`);
  return stdout;
}

async function main() {
  const { values } = parseArgs({
    options: { tag: { type: 'string' }, repository: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, values.repository);
  if (values.tag !== undefined && values.tag !== `v${version}`) {
    console.error(`The tag ${values.tag} is not the version of the packages: v${version}.`);
    return 1;
  }
  if (values.tag !== undefined && notes === undefined) {
    console.error(`CHANGELOG.md has no section "## [${version}]": rename "[Unreleased]", and add the date.`);
    return 1;
  }
  await install();
  const code = await build();
  if (code !== 0) return code;

  const folder = join(root, 'packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const tarballs = await packPackages(folder, values.repository);
  writeFileSync(join(folder, 'sluice.cdx.json'), billOfMaterials(tarballs, version));
  if (notes !== undefined) writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
  const files = `${tarballs.length} packages and their bill of materials${notes === undefined ? '' : ', and the notes,'}`;
  console.log(`${files} are in packed/. In an application:\n`);
  // By their whole paths, because an application has a folder of its own.
  for (const command of installCommands(tarballs)) {
    console.log(command);
  }
  return 0;
}

if (isMain(import.meta.url)) void main().then((code) => (process.exitCode = code));
