import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPolicies, type Policies } from './index.js';

interface Subject {
  readonly ip: string;
  readonly method?: string;
  readonly url?: string;
  readonly originalUrl?: string;
}

const tier = (name: string) => `{ name: ${name}, key: ip, limit: 100, window: 1h }`;
const textOf = (name: string, routes: string) =>
  `version: 1\nlimiters:\n  ${name}:${routes}\n    tiers: [${tier(`${name}-a`)}, ${tier(`${name}-b`)}]\n`;
const LOGIN = "\n    routes: ['POST /login', '/oauth/*']";

describe('openPolicies, of a limiter with routes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-routes-'));
  const file = join(folder, 'limits.yaml');
  let policies: Policies<Subject>;
  let warnings: string[];

  beforeEach(() => {
    warnings = [];
    jest.spyOn(process, 'emitWarning').mockImplementation((text) => void warnings.push(String(text)));
  });

  afterEach(() => {
    policies.close();
    jest.restoreAllMocks();
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** A limiter, and what a subject has left of its first tier. */
  async function open(name: string, routes: string) {
    writeFileSync(file, textOf(name, routes));
    policies = await openPolicies<Subject>(file);
    const limiter = policies.limiter(name);
    return async (request: Omit<Subject, 'ip'>) =>
      (await limiter.consume({ ip: '203.0.113.7', ...request })).outcomes[0]!.remaining;
  }

  it('warns once of a request outside of them, which it counts as any other', async () => {
    const consume = await open('one', LOGIN);

    const left = [
      await consume({ method: 'POST', url: '/login' }),
      await consume({ method: 'GET', url: '/reset/a-secret?token=1' }),
      await consume({ method: 'GET', url: '/other' }),
    ];

    expect(left).toEqual([99, 98, 97]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^policies: limiter "one" has met a request outside of its routes \(POST \/login, \/oauth\/\*\): GET \/reset\/…\. /,
      ),
    ]);
  });

  it.each<[string, string, Omit<Subject, 'ip'>]>([
    ['two', LOGIN, { method: 'POST', url: '/login?next=/' }],
    ['three', LOGIN, { method: 'GET', url: 'https://example.com/oauth/token' }],
    ['four', LOGIN, { method: 'POST', url: '/', originalUrl: '/login' }],
    ['five', LOGIN, {}],
    ['six', '', { method: 'GET', url: '/other' }],
  ])('does not warn of limiter %s with%s and %j', async (name, routes, request) => {
    const consume = await open(name, routes);

    await consume(request);

    expect(warnings).toEqual([]);
  });

  it('looks at the routes of the text in force', async () => {
    const consume = await open('seven', '');
    await consume({ method: 'GET', url: '/other' });
    writeFileSync(file, textOf('seven', "\n    routes: ['/api/*']"));
    await policies.refresh();
    await consume({ method: 'GET', url: '/api/items' });
    const before = [...warnings];

    writeFileSync(file, textOf('seven', LOGIN));
    await policies.refresh();
    const left = await consume({ method: 'GET', url: '/api/items' });

    expect([before, warnings.length, left]).toEqual([[], 1, 97]);
  });
});
