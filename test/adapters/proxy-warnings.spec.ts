import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute, HANG_MS } from '../support/child.js';
import { isFastifyFrom } from '../support/fastify-version.js';

const TRUE = ['SLUICE_TRUST_PROXY_TRUE'];
const IGNORED = ['SLUICE_TRUST_PROXY_IGNORED'];
const UNTRUSTED = ['SLUICE_FORWARDED_UNTRUSTED'];

/** The codes at the start, after a plain request, and after forwarded ones. */
const none = [[], [], [], []];
const atStart = (codes: readonly string[]) => [codes, codes, codes, codes];
const atFirstRequest = (codes: readonly string[]) => [[], codes, codes, codes];
const whenForwarded = [[], [], UNTRUSTED, UNTRUSTED];

type Expected = Readonly<Record<string, readonly (readonly string[])[]>>;

/** What each setting causes. Settings of one process: each warning occurs once in it, after those that cause none. */
const processes: readonly [stack: string, settings: Expected][] = [
  // Applications can change the setting after the middleware was made.
  ['Express 5', { '"loopback"': none, 1: none, true: atFirstRequest(TRUE), unset: whenForwarded }],
  ['Express 4', { '"loopback"': none, 1: none, true: atFirstRequest(TRUE), unset: whenForwarded }],
  [
    'Fastify 5',
    {
      '"127.0.0.1"': none,
      '["127.0.0.1","10.0.0.0/8"]': none,
      function: none,
      true: atStart(TRUE),
      1: isFastifyFrom('5.12.1') ? atStart(IGNORED) : none,
      unset: whenForwarded,
    },
  ],
  ['Hono on node-server', { '["127.0.0.1"]': none, unset: whenForwarded }],
  ['Nest on Express', { 1: none, true: atStart(TRUE), unset: whenForwarded }],
  ['Nest on Fastify', { '"127.0.0.1"': none, true: atStart(TRUE), 1: atStart(IGNORED), unset: whenForwarded }],
];
const cases = processes.map(([stack, expected]) => [stack, Object.keys(expected).join(', '), expected] as const);

describe('the setting for trusted proxies', () => {
  // In a process of its own, because a process emits each warning once.
  it.each(cases)('on %s, set to %s, causes each warning once', async (stack, _settings, expected) => {
    const program = join(root, 'test', 'adapters', 'programs', 'warn.mjs');
    const args = ['--no-warnings', program, stack, ...Object.keys(expected)];

    const { stdout } = await execute(process.execPath, args, { timeout: HANG_MS });

    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
