import { build } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../support/child.js';
import { installInto } from './installed.js';

const APP = `
import { Hono } from 'hono';
import { rateLimit } from '@sluice/hono';

const app = new Hono();
app.use(rateLimit({ limit: 2, window: '1m', key: () => 'all' }));
app.get('/', (context) => context.text('hello'));
`;

const REQUESTS = `
const statuses = [];
for (let count = 0; count < 3; count += 1) statuses.push((await app.request('/')).status);
console.log(statuses.join(' '));
`;

describe('A Hono program in memory that esbuild bundles', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-bundles-'));
    installInto(folder, ['core', 'hono'], ['hono']);
    writeFileSync(join(folder, 'app.mjs'), `${APP}export default app;\n`);
    writeFileSync(join(folder, 'served.mjs'), APP + REQUESTS);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const bundle = async (entry: string, outfile = join(folder, 'bundle.mjs')) => {
    const options = { bundle: true, minify: true, platform: 'node', format: 'esm', metafile: true } as const;
    return build({ ...options, entryPoints: [join(folder, entry)], outfile, logLevel: 'error' });
  };

  it('runs as an ES module without a require', async () => {
    await bundle('served.mjs');
    const { stdout } = await execute(process.execPath, [join(folder, 'bundle.mjs')]);

    expect(stdout.trim()).toBe('200 200 429');
  });

  it('has at most 212 kB, and nothing of Redis, lists, leases, fallbacks, quotas, fair shares, metrics or the shedder', async () => {
    const { metafile } = await bundle('app.mjs');
    const [output] = Object.values(metafile.outputs);
    const used = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);

    expect(output!.bytes).toBeLessThanOrEqual(212_000);
    expect(
      used
        .map(([path]) => path)
        .filter((path) => /redis|lists|between|shared-layers|waiting|quotas|fair|metrics|shed/.test(path)),
    ).toEqual([]);
  });
});
