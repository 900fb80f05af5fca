import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyKinds, KeyTable } from '@sluice/metrics/operations';
import { lineKeys } from '@sluice/overload/internal';
import { policyKeys } from '@sluice/policies/operations';
import { redisStore } from '@sluice/redis';
import type { Cluster, Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import * as actScripts from '../../packages/policies/src/audit/act-scripts.js';
import * as policyScripts from '../../packages/policies/src/fleet/scripts.js';
import { strip } from '../../scripts/strip-lua.mjs';
import { withCluster } from '../support/cluster.js';
import { nodesOf, writeEveryKey } from '../support/every-key.js';
import { commandsDuring, type ServerCommand } from '../support/monitor.js';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';
import { untilAnswered } from '../support/until.js';

const kinds = [...keyKinds, ...lineKeys, ...policyKeys];
const table = new KeyTable(kinds, ['rl', 'rl:billing']);

/** Commands that write, of which the key is the first argument. */
const WRITES =
  /^(set|setrange|setex|getset|append|(incr|decr)(by)?|[lr]pushx?|[lr]pop|ltrim|lrem|lset|z(add|rem\w*|incrby)|h(m?set|setnx|del|incrby)|s(add|rem)|(pexpire|expire)(at)?|persist|del|unlink|rename)$/;

/** Each key that a command writes, with the names of the kinds that it may be of. */
function owners(commands: readonly ServerCommand[]): ReadonlyMap<string, readonly string[]> {
  const keys = commands.flatMap(({ name, arguments: [key] }) => (WRITES.test(name) && key !== undefined ? [key] : []));
  return new Map(keys.map((key) => [key, table.findAll(key).map(({ kind }) => kind.name)]));
}

async function checkStored(client: Redis | Cluster): Promise<void> {
  for (const node of nodesOf(client)) {
    for (const key of await node.keys('*')) {
      const [type, ttl] = await Promise.all([node.type(key), node.pttl(key)]);
      const [found, ...others] = table.findAll(key);
      if (type === 'none') continue;

      expect({ key, kind: found?.kind.name, others }).toEqual({ key, kind: expect.any(String), others: [] });
      expect({ key, type }).toEqual({ key, type: found!.kind.type });
      expect({ key, mayStay: ttl >= 0 || found!.kind.stays === true }).toEqual({ key, mayStay: true });
    }
  }
}

describe('the table of keys', () => {
  const redis = withRedis();
  let commands: readonly ServerCommand[];

  beforeAll(async () => {
    const store = redisStore({ url: redis.server.url }, patient);
    try {
      // Policies wait for two seconds, which a busy machine may exceed: then all is written again.
      commands = await untilAnswered(async () => {
        await redis.client.flushall();
        await redis.client.script('FLUSH');
        return commandsDuring(redis.server, () => writeEveryKey(store, redis.client));
      });
    } finally {
      await store.close();
    }
  });

  it('has one kind for each key that any feature writes', () => {
    const wrong = [...owners(commands)].filter(([, names]) => names.length !== 1);

    expect(wrong).toEqual([]);
  });

  it('has no kind that no feature writes', () => {
    const written = new Set([...owners(commands).values()].flat());

    const unwritten = kinds.filter(({ name, former }) => !former && !written.has(name));

    expect(unwritten.map(({ name }) => name)).toEqual([]);
  });

  it('says the type of each key, and which keys may have no expiry', async () => {
    await expect(checkStored(redis.client)).resolves.toBeUndefined();
  });

  it('is tried with every script that writes', async () => {
    const texts = commands.filter(({ name }) => name === 'eval').map(({ arguments: [text = ''] }) => textIn(text));
    const sources = await writingScripts();

    const untried = sources.filter(({ text }) => !texts.some((each) => each.includes(text)));

    expect(sources.length).toBeGreaterThan(30);
    expect(untried.map(({ name }) => name)).toEqual([]);
  });
});

describe('the table of keys on a Cluster', () => {
  const opened = withCluster();

  it('says the kind and the type of each key, and which keys may have no expiry', async () => {
    const store = redisStore({ cluster: opened.cluster.startupNodes }, patient);
    try {
      await writeEveryKey(store, opened.client);
    } finally {
      await store.close();
    }

    await expect(checkStored(opened.client)).resolves.toBeUndefined();
  });
});

describe('the sources', () => {
  it('write to Redis in scripts that this spec tries, and in the exchange between dashboards, and nowhere else', async () => {
    const files = await sourceFiles(/(?<!spec)[.]ts$/);
    const writers = files.filter(({ text }) => CALLS.test(text) || COMMANDS.test(text)).map(({ name }) => name);
    // The last one reads the programs of others.
    const known =
      /-emitter[.]ts$|core[/]src[/]scripts[/](scripts|keys-beside)[.]ts$|policies[/]src[/](fleet[/]|audit[/]act-)scripts[.]ts$|dashboard[/]src[/]fleet[.]ts$|migrate[/]src[/]/;

    expect(writers).toEqual(expect.arrayContaining(['policies/src/fleet/scripts.ts', 'dashboard/src/fleet.ts']));
    expect(writers.filter((name) => !known.test(name))).toEqual([]);
  });
});

interface Source {
  readonly name: string;
  readonly text: string;
}

/** A writing command in the text of a script. */
const CALLS = new RegExp(String.raw`call\('(${WRITES.source.slice(2, -2)})'`, 'i');
/** A writing command of a client. */
const COMMANDS = new RegExp(String.raw`\b(client|redis|node|pipeline|multi)\.(${WRITES.source.slice(2, -2)})\(`);

/** The parts of scripts that write, as Redis runs them. */
async function writingScripts(): Promise<readonly Source[]> {
  const parts = (await sourceFiles(/[.]lua$/)).map(({ name, text }) => ({ name, text: strip(name, text) }));
  const ofPolicies = Object.entries({ ...policyScripts, ...actScripts }).flatMap(([name, script]) =>
    typeof script === 'object' ? [{ name, text: script.source }] : [],
  );
  const scripts = [...parts, ...ofPolicies].filter(({ text }) => CALLS.test(text));
  return scripts.map(({ name, text }) => ({ name, text: Buffer.from(text).toString('latin1').replaceAll(OTHER, '?') }));
}

async function sourceFiles(names: RegExp): Promise<readonly Source[]> {
  const packages = join(root, 'packages');
  const files = await readdir(packages, { recursive: true });
  const sources = files.filter((file) => /^[a-z]+[/]src[/]/.test(file) && names.test(file));
  return Promise.all(sources.map(async (name) => ({ name, text: await readFile(join(packages, name), 'utf8') })));
}

/** What MONITOR prints as a number of a byte. */
const OTHER = /[^\n\x20-\x7e]/g;

/** The text of a script, of what MONITOR prints. */
function textIn(printed: string): string {
  return JSON.parse(`"${printed.replaceAll(/\\x[0-9a-f]{2}/g, '?')}"`) as string;
}
