import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

// A dependency of it asks for a tag of node-fetch that registries may not have.
const VERDACCIO = { dependencies: { verdaccio: '6.2.5' }, overrides: { 'node-fetch': '2.7.0' } };
const START_MS = 60_000;

/**
 * Starts a registry on this machine, which takes packages of Sluice, and has all others from the registry of npm's
 * settings.
 *
 * @param {string} folder where it is installed and stores packages
 */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  const registry = `http://127.0.0.1:${await freePort()}/`;
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: npm(folder, 'config', 'get', 'registry').trim() } },
    packages: { '@sluice/*': { access: '$all', publish: '$all' }, '**': { access: '$all', proxy: 'upstream' } },
    log: { level: 'error' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(VERDACCIO));
  npm(folder, 'install', '--no-audit', '--no-fund');
  // JSON is YAML.
  const settings = join(folder, 'verdaccio.yaml');
  writeFileSync(settings, JSON.stringify(config));
  const verdaccio = join(folder, 'node_modules', '.bin', 'verdaccio');
  const child = spawn(verdaccio, ['--config', settings, '--listen', registry], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answerOf(`${registry}-/ping`);
  return {
    registry,
    // npm publishes with a token alone. This registry takes any.
    npmrc: `registry=${registry}\n//${new URL(registry).host}/:_authToken=rehearsal\n`,
    stop: () => child.kill(),
  };
}

/** @param {string} cwd @param {string[]} args */
function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${stdout}${stderr}`);
  return stdout;
}

/** The answer of a server that may not listen yet. @param {string} url */
export async function answerOf(url) {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (Date.now() > giveUpAt) throw new Error(`${url} does not answer`, { cause: error });
      await delay(100);
    }
  }
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}
