import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './root.mjs';

// npm run rehearse
// Rehearses a release against a registry on this machine: packs, publishes twice, installs what the README says into an
// empty folder, and runs the README's first program and the command line there, with npm and with pnpm.

// A dependency of it asks for a tag of node-fetch that registries may not have.
const VERDACCIO = { dependencies: { verdaccio: '6.2.5' }, overrides: { 'node-fetch': '2.7.0' } };
const REPOSITORY = 'https://github.com/example/sluice';
const START_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'sluice-release-'));
const registry = `http://127.0.0.1:${await freePort()}/`;
const server = await startRegistry();
try {
  run('pack', root, 'node', ['scripts/release-files.mjs', '--repository', REPOSITORY]);
  const publish = ['scripts/publish.mjs', 'packed', '--registry', registry];
  run('publish', root, 'node', publish);
  const again = run('publish again', root, 'node', publish);
  if (/is published/.test(again)) throw new Error('the second run has published a package again');

  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await tryIn('npm', ['npm']);
  await tryIn('pnpm', ['npx', '--yes', packageManager]);
  console.log('The release can be installed, and its first program limits.');
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Installs the packages as an application does, and runs what the README shows first. @param {string} name @param {readonly string[]} manager */
async function tryIn(name, [command = '', ...first]) {
  const application = join(folder, name);
  mkdirSync(application);
  writeFileSync(join(application, '.npmrc'), npmrc());
  writeFileSync(join(application, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  const add = name === 'npm' ? 'install' : 'add';
  run(`${name} ${add}`, application, command, [...first, add, '@sluice/express', '@sluice/cli', 'express']);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n(import \{ rateLimit \}.*?)```/s.exec(readme) ?? [];
  const port = await freePort();
  writeFileSync(join(application, 'app.js'), program.replace('listen(3000)', `listen(${port})`));
  run(`${name}: sluice`, application, join(application, 'node_modules', '.bin', 'sluice'), ['--help']);
  const app = spawn('node', ['app.js'], { cwd: application, stdio: 'inherit' });
  try {
    const answer = await answerOf(`http://127.0.0.1:${port}/`);
    const remaining = answer.headers.get('x-ratelimit-remaining');
    if (answer.status !== 200 || remaining !== '99') {
      throw new Error(`the first program answers ${answer.status}, X-RateLimit-Remaining ${remaining}`);
    }
  } finally {
    app.kill();
  }
}

async function startRegistry() {
  const packages = { '@sluice/*': { access: '$all', publish: '$all' }, '**': { access: '$all', proxy: 'upstream' } };
  const upstream = run('registry', root, 'npm', ['config', 'get', 'registry']).trim();
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream } },
    packages,
    log: { level: 'error' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(VERDACCIO));
  run('verdaccio', folder, 'npm', ['install', '--no-audit', '--no-fund']);
  const verdaccio = join(folder, 'node_modules', '.bin', 'verdaccio');
  // JSON is YAML.
  writeFileSync(join(folder, 'verdaccio.yaml'), JSON.stringify(config));
  // npm publishes with a token alone. This registry takes any.
  writeFileSync(join(folder, '.npmrc'), npmrc());
  process.env.NPM_CONFIG_USERCONFIG = join(folder, '.npmrc');
  const child = spawn(verdaccio, ['--config', join(folder, 'verdaccio.yaml'), '--listen', registry], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answerOf(`${registry}-/ping`);
  return child;
}

function npmrc() {
  return `registry=${registry}\n//${new URL(registry).host}/:_authToken=rehearsal\n`;
}

/** @param {string} title @param {string} cwd @param {string} command @param {readonly string[]} args */
function run(title, cwd, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${title}: ${stdout}${stderr}`);
  console.log(`${title}: ok`);
  return stdout;
}

/** The answer of a server that may not listen yet. @param {string} url */
async function answerOf(url) {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await delay(100);
    }
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}
