import type { IncomingMessage } from 'node:http';

import { FailingStore, rejects, unavailable } from '../../../../test/support/failing-store.js';
import { closeServers, serve } from '../../../../test/support/gate-server.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 6, window: '1m' } as const;

afterEach(closeServers);

/** A server whose store fails. */
function serverWith(change: object) {
  const store = new FailingStore();
  store.failure = rejects(unavailable);
  return serve([createGate<IncomingMessage>({ ...pages, store, ...change })]);
}

/** What a gate answers by its modes is in the suite of adapters. */
describe('Gate, store unavailable', () => {
  const warnings = warningCatcher();

  it('C32 answers 503 for a closed store, whatever onStoreFailure says', async () => {
    const store = new FailingStore();
    await store.close();
    const server = await serverWith({ store, onStoreFailure: 'allow' });

    const { status, headers } = await server.send();

    expect([status, headers.get('x-ratelimit-limit')]).toEqual([503, null]);
    expect(headers.get('retry-after')).toMatch(/^[1-5]$/);
  });

  it('passes the reason unavailable to the function `body`', async () => {
    const body = ({ decision }: { decision: { reason: string } }) => decision.reason;
    const server = await serverWith({ onStoreFailure: 'deny', body });

    expect(await (await server.send()).text()).toBe('unavailable');
  });

  it('refunds what was counted locally, without a warning', async () => {
    const server = await serverWith({ refundWhen: () => true });

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['5', '5']);
    expect(warnings().map(([code]) => code)).not.toContain('SLUICE_REFUND_FAILED');
  });
});
