import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { buildPackages } from '../support/program.js';

const TRUE = ['SLUICE_TRUST_PROXY_TRUE'];
const IGNORED = ['SLUICE_TRUST_PROXY_IGNORED'];
const UNTRUSTED = ['SLUICE_FORWARDED_UNTRUSTED'];

/** The codes at the start, after a plain request, and after forwarded ones. */
const none = [[], [], [], []];
const atStart = (codes: readonly string[]) => [codes, codes, codes, codes];
const atFirstRequest = (codes: readonly string[]) => [[], codes, codes, codes];
const whenForwarded = [[], [], UNTRUSTED, UNTRUSTED];

const cases: readonly [stack: string, setting: string, expected: readonly (readonly string[])[]][] = [
  ...['Express 5', 'Express 4'].flatMap((stack): typeof cases => [
    // Applications can change the setting after the middleware was made.
    [stack, 'true', atFirstRequest(TRUE)],
    [stack, 'unset', whenForwarded],
    [stack, '1', none],
    [stack, '"loopback"', none],
  ]),
  ['Fastify 5', 'true', atStart(TRUE)],
  ['Fastify 5', '1', atStart(IGNORED)],
  ['Fastify 5', 'unset', whenForwarded],
  ['Fastify 5', 'false', whenForwarded],
  ['Fastify 5', '0', whenForwarded],
  ['Fastify 5', '"127.0.0.1"', none],
  ['Fastify 5', '["127.0.0.1","10.0.0.0/8"]', none],
  ['Fastify 5', 'function', none],
  ['Hono on node-server', 'unset', whenForwarded],
  ['Hono on node-server', '["127.0.0.1"]', none],
  ['Nest on Express', 'true', atStart(TRUE)],
  ['Nest on Express', 'unset', whenForwarded],
  ['Nest on Express', '1', none],
  ['Nest on Fastify', 'true', atStart(TRUE)],
  ['Nest on Fastify', '1', atStart(IGNORED)],
  ['Nest on Fastify', 'unset', whenForwarded],
  ['Nest on Fastify', '"127.0.0.1"', none],
];

describe('the setting for trusted proxies', () => {
  beforeAll(buildPackages, 60_000);

  // In a process of its own, because a process emits each warning once.
  it.each(cases)('on %s, set to %s, causes each warning once', async (stack, setting, expected) => {
    const program = join(root, 'test', 'adapters', 'programs', 'warn.mjs');
    const args = ['--no-warnings', program, stack, setting];

    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });

    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
