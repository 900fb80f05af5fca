import { statusesOf } from '../../../support/responses.js';
import type { Attack } from '../attack.js';

const EXPRESS = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((claim, at) => ({
  headers: { 'X-Tenant': `tenant-${at}`, 'X-Plan': 'pro', 'X-Forwarded-For': claim },
}));

/** Programs beside which the service for other languages runs. */
export const serverAttacks: readonly Attack[] = [
  {
    program: 'one-limit.md#beside-express',
    sentence: 'a request through Envoy and a request through Express share one budget',
    tries: 'requests of one address through Express and through the service in turn, with forged addresses and tenants',
    replaces: ["'limits.yaml'", 'limitsFile()'],
    serves: `
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@sluice/server';

function limitsFile() {
  const file = join(mkdtempSync(join(tmpdir(), 'limits-')), 'limits.yaml');
  const tiers = '[{ name: ip-minute, key: ip, limit: 4, window: 1m }, { name: tenant-hour, key: tenant, limit: 100, window: 1h }]';
  writeFileSync(file, 'version: 1\\nlimiters: { api: { tiers: ' + tiers + ' } }\\nextensions: { server: { identities: [tenant] } }\\n');
  return file;
}
const server = await serve({
  file: limitsFile(),
  secret: 'a secret of this attack',
  plainIdentities: true,
  store,
  listen: { http: 0, grpc: 0, operations: 0 },
});
app.get('/', (_request, response) => void response.send('ok'));
export const served = express();
served.get('/service', async (_request, response) => {
  const answer = await fetch(\`http://127.0.0.1:\${server.ports.http}/check\`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
    body: JSON.stringify({ limiter: 'api', request: { ip: '127.0.0.1' }, identities: { tenant: 'another' } }),
  });
  response.sendStatus(answer.status);
});
served.use(app);`,
    async holds(site) {
      const requests = EXPRESS.flatMap((each) => [each, { path: '/service' }]);
      expect(statusesOf(await site.sendEach(requests))).toEqual([200, 200, 200, 200, 429, 429]);
    },
  },
];
