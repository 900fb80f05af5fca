import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerOf, freePort, startRegistry } from './local-registry.mjs';
import { root } from './root.mjs';
import { publishedPackages } from './workspace.mjs';

// npm run tool -- rehearse [--tag v1.2.3]
// Rehearses a release against a registry on this machine: checks the tag, packs, claims names, publishes twice, prints
// the notes, installs all packages with npm and with pnpm into an empty folder and runs the README's first program there
// and a recipe, runs two commands by npx in an empty folder, and checks the site.

const REPOSITORY = 'https://github.com/example/sluice';
/** What packages of Sluice need beside them. */
const PEERS = [
  '@nestjs/common',
  '@nestjs/core',
  '@opentelemetry/api',
  'express',
  'fastify',
  'hono',
  'ioredis',
  'prom-client',
  'reflect-metadata',
  'rxjs',
];
/** A program before its migration. It listens where the first program does. */
const LEGACY = `import express from 'express';
import { rateLimit } from 'express-rate-limit';

const app = express();
app.use(rateLimit({ windowMs: 60_000, limit: 100 }));
app.get('/', (_request, response) => void response.send('hello'));
app.listen(3000);
`;

/** A file of policies for the service. */
const LIMITS = `version: 1
limiters: { api: { tiers: [{ name: ip-minute, key: ip, limit: 100, window: 1m }] } }
`;

const { version, packageManager } = manifestOf(root);
const { values } = parseArgs({ options: { tag: { type: 'string', default: `v${version}` } } });
const names = publishedPackages().map((folder) => manifestOf(folder).name);
const began = performance.now();

const folder = mkdtempSync(join(tmpdir(), 'sluice-release-'));
const { registry, npmrc, stop } = await startRegistry(join(folder, 'registry'));
try {
  process.env.NPM_CONFIG_USERCONFIG = join(folder, '.npmrc');
  writeFileSync(join(folder, '.npmrc'), npmrc);

  refuseTag('v0.0.0');
  run('pack', root, 'node', ['scripts/release-files.mjs', '--tag', values.tag, '--repository', REPOSITORY]);
  // Once before a first release. Then `latest` is an empty 0.0.0, which the release replaces.
  run('claim names', root, 'node', ['scripts/claim-names.mjs', 'example/sluice', '--registry', registry]);
  const publish = ['scripts/publish.mjs', 'packed', '--registry', registry];
  run('publish', root, 'node', publish);
  const again = run('publish again', root, 'node', publish);
  if (/is published/.test(again)) throw new Error('the second run has published a package again');

  // No package of Sluice comes from what an earlier rehearsal has left on this machine.
  process.env.NPM_CONFIG_CACHE = join(folder, 'cache');
  await tryIn('npm', ['npm', 'install']);
  await tryIn('pnpm', ['npx', '--yes', packageManager, 'add']);
  await tryCommands();
  run('site', root, 'node', ['scripts/docs.mjs', '--check']);

  console.log(`\nThe notes of ${version}:\n\n${readFileSync(join(root, 'packed', 'notes.md'), 'utf8')}`);
  console.log(`The release can be installed, and its programs limit: ${secondsSince(began)}.`);
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The check of the workflow, with a tag of another version. @param {string} tag */
function refuseTag(tag) {
  const { status, stderr } = spawnSync('node', ['scripts/release-files.mjs', '--tag', tag], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 1 || !stderr.includes('is not the version'))
    throw new Error(`the tag ${tag} is not refused: ${stderr}`);
}

/**
 * Installs the packages as an application does, and runs what the README and a recipe show.
 *
 * @param {string} name
 * @param {readonly string[]} add
 */
async function tryIn(name, [command = '', ...add]) {
  const application = emptyFolder(name);
  run(`${name}: install`, application, command, [...add, ...names, ...PEERS]);
  writeFileSync(
    join(application, 'entries.mjs'),
    `for (const name of ${JSON.stringify(entries())}) await import(name);`,
  );
  run(`${name}: import each entry`, application, 'node', ['entries.mjs']);
  run(`${name}: sluice`, application, join(application, 'node_modules', '.bin', 'sluice'), ['--help']);

  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n(import \{ rateLimit \}.*?)```/s.exec(readme) ?? [];
  await serve(application, 'app.mjs', program);
  console.log(`${name}: the first program limits`);

  const recipe = join(application, 'fake-clock.test.mjs');
  copyFileSync(join(root, 'examples', 'recipes', 'fake-clock.test.js'), recipe);
  run(`${name}: a recipe`, application, 'node', ['--test', recipe]);
}

/** Runs commands of the README and of a guide where nothing is installed. */
async function tryCommands() {
  const cwd = emptyFolder('npx');
  const lines = Array.from({ length: 2_000 }, (_, at) => {
    const time = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString().slice(11, 19);
    return `192.0.2.${at % 20} - - [01/Jan/2026:${time} +0000] "GET / HTTP/1.1" 200 5 "-" "Mozilla/5.0"\n`;
  });
  writeFileSync(join(cwd, 'access.log'), lines.join(''));
  const proposed = run('npx: replay', cwd, 'npx', ['--yes', '@sluice/cli', 'replay', 'access.log']);
  if (!/^2 000 requests of 20 addresses[^]*^lowest limit that denies/m.test(proposed)) {
    throw new Error(`replay prints:\n${proposed}`);
  }

  writeFileSync(join(cwd, 'limits.yaml'), LIMITS);
  await tryService(cwd);

  writeFileSync(join(cwd, 'legacy.mjs'), LEGACY);
  const migrate = ['--yes', '@sluice/migrate', 'legacy.mjs'];
  const difference = run('npx: migrate', cwd, 'npx', migrate);
  if (!/^\+import \{ rateLimit.*\} from '@sluice\/express';$/m.test(difference)) {
    throw new Error(`migrate prints:\n${difference}`);
  }
  run('npx: migrate --write', cwd, 'npx', [...migrate, '--write']);
  await serve(join(folder, 'npm'), 'migrated.mjs', readFileSync(join(cwd, 'legacy.mjs'), 'utf8'));
  console.log('npx: the migrated program limits');
}

/** Starts the service by npx, and asks it once. @param {string} cwd */
async function tryService(cwd) {
  const port = await freePort();
  const args = ['--yes', '@sluice/server', 'limits.yaml', '--secret', 'a secret of the rehearsal'];
  const ports = ['--http-port', String(port), '--grpc-port', '0', '--operations-port', 'none'];
  // A group of its own: npx does not pass signals on.
  const service = spawn('npx', [...args, ...ports], { cwd, stdio: 'inherit', detached: true });
  try {
    await answerOf(`http://127.0.0.1:${port}/openapi.json`);
    const response = await fetch(`http://127.0.0.1:${port}/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ limiter: 'api', request: { ip: '192.0.2.1' } }),
    });
    const remaining = response.headers.get('x-ratelimit-remaining');
    if (response.status !== 200 || remaining !== '99') throw new Error(`the service answers ${response.status}`);
    console.log('npx: the service decides');
  } finally {
    if (service.pid !== undefined) process.kill(-service.pid);
  }
}

/**
 * Starts a program that limits 100 requests at port 3000, on a free one, and sends a request.
 *
 * @param {string} cwd
 * @param {string} name
 * @param {string} program
 */
async function serve(cwd, name, program) {
  const port = await freePort();
  writeFileSync(join(cwd, name), program.replace('listen(3000)', `listen(${port})`));
  const app = spawn('node', [name], { cwd, stdio: 'inherit' });
  try {
    const { status, headers } = await answerOf(`http://127.0.0.1:${port}/`);
    const remaining = headers.get('x-ratelimit-remaining');
    if (status !== 200 || remaining !== '99') {
      throw new Error(`${name} answers ${status}, X-RateLimit-Remaining ${remaining}`);
    }
  } finally {
    app.kill();
  }
}

/** What programs import of all packages. */
function entries() {
  return publishedPackages().flatMap((path) => {
    const { name, exports = {} } = manifestOf(path);
    const code = Object.entries(exports).filter(([, target]) => target.import !== undefined);
    return code.map(([subpath]) => name + subpath.slice(1));
  });
}

/** @param {string} name */
function emptyFolder(name) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, '.npmrc'), npmrc);
  if (name !== 'npx') writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  return path;
}

/** @param {string} title @param {string} cwd @param {string} command @param {readonly string[]} args */
function run(title, cwd, command, args) {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${title}: ${error ?? ''}${stdout}${stderr}`);
  console.log(`${title}: ok, ${secondsSince(start)}`);
  return stdout;
}

/** @param {number} start */
function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** @param {string} path */
function manifestOf(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}
