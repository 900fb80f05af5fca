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

interface Run {
  readonly warnings: readonly Warning[];
  /** All that has been printed, but for the list of warnings. */
  readonly printed: string;
}

describe.each([
  ['Express 5', 'express'],
  ['Express 4', 'express-4'],
])('An app on %s', (_version, framework) => {
  beforeAll(async () => {
    const code = await runTool('tsc', ['--build', 'packages/express/tsconfig.esm.json']);
    if (code !== 0) throw new Error('the packages cannot be compiled');
  });

  /** A warning is given once in a process, so that this is a new one. */
  async function run(settings: string): Promise<Run> {
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
    ['trustInAll', 'SLUICE_TRUST_PROXY_TRUE', 'trust proxy is true'],
    ['forwardedUntrusted', 'SLUICE_FORWARDED_UNTRUSTED', 'x-forwarded-for, and no proxy is trusted'],
    ['forwardedByStandard', 'SLUICE_FORWARDED_UNTRUSTED', 'forwarded, and no proxy is trusted'],
    ['addressUnreadable', 'SLUICE_ADDRESS_UNREADABLE', 'all such clients share one budget'],
    ['unixSocket', 'SLUICE_ADDRESS_UNREADABLE', 'Unix socket'],
    ['countedTwice', 'SLUICE_COUNTED_TWICE', 'has counted a request twice'],
    ['unboundedApiKeys', 'SLUICE_UNBOUNDED_API_KEYS', 'presented keys are counted before anything has verified them'],
    ['apiKeysMissing', 'SLUICE_UNBOUNDED_API_KEYS', 'Add a tier with byIp()'],
    ['storeUnavailable', 'SLUICE_STORE_UNAVAILABLE', 'decided without it where onStoreFailure says so'],
    ['storeClosed', 'SLUICE_STORE_CLOSED', 'answered with 503'],
    ['refundFailed', 'SLUICE_REFUND_FAILED', 'the function refundWhen failed'],
    ['tiersNotReused', 'SLUICE_TIERS_NOT_REUSED', 'create the array of each plan once'],
  ])('is warned once, and told nothing else, where its setting is %s: %s', async (setting, code, text) => {
    const { warnings, printed } = await run(setting);

    expect(warnings).toEqual([
      {
        name: 'SluiceWarning',
        code,
        message: expect.stringContaining(text),
        detail: `See docs/reference/warnings.md#${code.toLowerCase()}`,
      },
    ]);
    const [{ message, detail } = { message: '', detail: '' }] = warnings;
    // As Node prints warnings: its process, the code, the text, the detail, and where to learn more.
    const [first, second, third, ...rest] = printed.trimEnd().split('\n');
    expect(first!.replace(/^\(node:\d+\) /, '')).toBe(`[${code}] SluiceWarning: ${message}`);
    expect(second).toBe(detail);
    expect(third).toMatch(/^\(Use `node --trace-warnings \.\.\.` to show where the warning was created\)$/);
    expect(rest).toEqual([]);
  });

  it('is warned of each thing that deserves it', async () => {
    const { warnings } = await run('severalAtOnce');

    expect(warnings.map(({ code }) => code).toSorted((one, other) => one.localeCompare(other))).toEqual([
      'SLUICE_UNBOUNDED_API_KEYS',
      'SLUICE_COUNTED_TWICE',
      'SLUICE_TRUST_PROXY_TRUE',
    ]);
  });

  it('is told nothing at all by settings that are right', async () => {
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
