import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/root.mjs';
import { runTool } from '../../../scripts/run.mjs';

interface Warning {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly detail: string;
}

describe.each([
  ['Express 5', 'express'],
  ['Express 4', 'express-4'],
])('warnings of rateLimit on %s', (_version, framework) => {
  beforeAll(async () => {
    const code = await runTool('tsc', ['--build', 'packages/express/tsconfig.esm.json']);
    if (code !== 0) throw new Error('the packages cannot be compiled');
  });

  /** Runs settings in a new process, because a process emits each warning once. */
  async function run(settings: string): Promise<{ warnings: readonly Warning[]; printed: string }> {
    const program = join(root, 'test', 'adapters', 'express', 'settings', 'run.mjs');
    const { NODE_OPTIONS: _options, NODE_NO_WARNINGS: _quiet, ...env } = process.env;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, settings, framework], {
      timeout: 20_000,
      env,
    });
    const lines = stdout.trimEnd().split('\n');
    const warnings = JSON.parse(lines.pop()!) as Warning[];
    return { warnings, printed: lines.join('\n') + stderr };
  }

  it.each([
    ['trustInAll', 'SLUICE_TRUST_PROXY_TRUE'],
    ['forwardedUntrusted', 'SLUICE_FORWARDED_UNTRUSTED'],
    ['forwardedByStandard', 'SLUICE_FORWARDED_UNTRUSTED'],
    ['addressUnreadable', 'SLUICE_ADDRESS_UNREADABLE'],
    ['unixSocket', 'SLUICE_ADDRESS_UNREADABLE'],
    ['countedTwice', 'SLUICE_COUNTED_TWICE'],
    ['unboundedApiKeys', 'SLUICE_UNBOUNDED_API_KEYS'],
    ['apiKeysMissing', 'SLUICE_UNBOUNDED_API_KEYS'],
    ['storeUnavailable', 'SLUICE_STORE_UNAVAILABLE'],
    ['storeClosed', 'SLUICE_STORE_CLOSED'],
    ['refundFailed', 'SLUICE_REFUND_FAILED'],
    ['tiersNotReused', 'SLUICE_TIERS_NOT_REUSED'],
  ])('are emitted once for %s: %s, and nothing else is printed', async (setting, code) => {
    const { warnings, printed } = await run(setting);

    expect(warnings).toEqual([
      {
        name: 'SluiceWarning',
        code,
        message: expect.stringMatching(/^(rateLimit|redisStore|byIp|byApiKey|limiter): \w/),
        detail: `See docs/reference/warnings.md#${code.toLowerCase()}`,
      },
    ]);
    const [{ message, detail }] = warnings as [Warning];
    // The format of Node: process, code, text, detail, and a hint.
    const [first, second, third, ...rest] = printed.trimEnd().split('\n');
    expect(first!.replace(/^\(node:\d+\) /, '')).toBe(`[${code}] SluiceWarning: ${message}`);
    expect(second).toBe(detail);
    expect(third).toMatch(/^\(Use `node --trace-warnings \.\.\.` to show where the warning was created\)$/);
    expect(rest).toEqual([]);
  });

  it('are emitted for every setting that deserves one', async () => {
    const { warnings } = await run('severalAtOnce');

    expect(new Set(warnings.map(({ code }) => code))).toEqual(
      new Set(['SLUICE_UNBOUNDED_API_KEYS', 'SLUICE_COUNTED_TWICE', 'SLUICE_TRUST_PROXY_TRUE']),
    );
  });

  it('are not emitted for settings that are right', async () => {
    const right = [
      'nothingSpecial',
      'addressFromACdn',
      'trustInOneHop',
      'trustInAnAddress',
      'unixSocketBehindProxy',
      'apiKeysBesideAddresses',
      'apiKeysBehindAddresses',
      'apiKeysVerified',
      'severalLimiters',
      'functionsThatFail',
    ];

    expect(await run(right.join(','))).toEqual({ warnings: [], printed: '' });
  });
});
