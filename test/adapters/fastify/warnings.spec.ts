import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/root.mjs';
import { runTool } from '../../../scripts/run.mjs';

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

describe('warnings of the plugin for Fastify', () => {
  beforeAll(async () => {
    const code = await runTool('tsc', ['--build', 'packages/fastify/tsconfig.esm.json']);
    if (code !== 0) throw new Error('the package cannot be compiled');
  });

  /** The codes of the warnings that a process emits while it serves some paths. It must end by itself. */
  async function warningsOf(
    trustProxy: string,
    headers: Readonly<Record<string, string>>,
    asked: readonly string[] = ['/', '/child', '/'],
  ): Promise<string[]> {
    const program = `
      import { rateLimit } from '@sluice/fastify';
      import { fastify } from 'fastify';

      const codes = [];
      process.on('warning', ({ name, code, detail }) => {
        if (name === 'SluiceWarning') codes.push(code + (detail.includes(code.toLowerCase()) ? '' : ' without a page'));
      });
      const app = fastify({ trustProxy: ${trustProxy} });
      await app.register(rateLimit, { limit: 5, window: '1h' });
      app.get('/', () => 'served');
      app.register(async (child) => void child.get('/child', () => 'served'));
      await app.listen({ port: 0, host: '127.0.0.1' });
      for (const path of ${JSON.stringify(asked)}) {
        await fetch('http://127.0.0.1:' + app.server.address().port + path, { headers: ${JSON.stringify(headers)} });
      }
      await app.close();
      console.log(JSON.stringify(codes));
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', program],
      { cwd: join(root, 'test'), timeout: 20_000 },
    );
    return JSON.parse(stdout) as string[];
  }

  it.each<[string, string, string[], string[]]>([
    ['true', 'true', ['SLUICE_TRUST_PROXY_TRUE'], ['SLUICE_TRUST_PROXY_TRUE']],
    ['a number, which Fastify ignores', '1', ['SLUICE_TRUST_PROXY_IGNORED'], ['SLUICE_TRUST_PROXY_IGNORED']],
    ['not set', 'undefined', ['SLUICE_FORWARDED_UNTRUSTED'], []],
    ['false', 'false', ['SLUICE_FORWARDED_UNTRUSTED'], []],
    ['0', '0', ['SLUICE_FORWARDED_UNTRUSTED'], []],
    ['an address', "'127.0.0.1'", [], []],
    ['several addresses', "['127.0.0.1', '10.0.0.0/8']", [], []],
    ['a function', '() => true', [], []],
  ])('are emitted once for trustProxy: %s, and the process ends', async (_what, trustProxy, withHeader, without) => {
    const [warnedWith, warnedWithout] = await Promise.all([
      warningsOf(trustProxy, forwarded),
      warningsOf(trustProxy, {}),
    ]);

    expect(warnedWith).toEqual(withHeader);
    expect(warnedWithout).toEqual(without);
  });

  it.each([
    ['true', 'SLUICE_TRUST_PROXY_TRUE'],
    ['1', 'SLUICE_TRUST_PROXY_IGNORED'],
  ])('are emitted at the start for trustProxy: %s', async (trustProxy, code) => {
    expect(await warningsOf(trustProxy, {}, [])).toEqual([code]);
  });

  it('are emitted for the header Forwarded, which Fastify does not read', async () => {
    expect(await warningsOf('undefined', { forwarded: 'for=203.0.113.7' })).toEqual(['SLUICE_FORWARDED_UNTRUSTED']);
  });
});
