import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from './blocks.js';
import { page } from './pages.js';
import { outputsOf } from './programs.js';

const LISTEN = 'app.listen(3000);';

/** Instead of port 3000, which may be taken: a free one, and somebody who sends requests to it. */
const TRIAL = `
import { once } from 'node:events';
const server = app.listen(0);
await once(server, 'listening');
const url = 'http://localhost:' + server.address().port;
for (let request = 1; request <= 11; request += 1) {
  const { status, headers } = await fetch(url);
  console.log(status, headers.get('x-ratelimit-remaining'), headers.get('retry-after'));
}
const { status } = await fetch(url, { headers: { 'x-api-key': 'k-1' } });
console.log(status);
server.close();
`;

describe('The example of the README', () => {
  const [{ code } = { code: '' }, ...others] = blocksOf(page('README.md'));
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-readme-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is short', () => {
    expect(others).toEqual([]);
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
  });

  it('counts requests and denies what is too much', async () => {
    const path = join(folder, 'readme.ts');
    await writeFile(path, code.replace(LISTEN, TRIAL));

    const [output = ''] = await outputsOf([path]);

    expect(code).toContain(LISTEN);
    const admitted = Array.from({ length: 10 }, (_, index) => `200 ${9 - index} null`);
    const wait = expect.stringMatching(/^429 0 [1-3]$/) as string;
    expect(output.trim().split('\n')).toEqual([...admitted, wait, '429']);
  });
});
