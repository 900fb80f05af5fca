import { exchange } from '../../../../test/support/exchange.js';
import { createGate, type Gate } from '../gate/gate.js';
import type { HttpRequest } from '../request/request.js';
import { byApiKey } from './api-key.js';

// One client presents a key that no code has verified.
jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

const tiers = [
  { name: 'address', limit: 2, window: '1m', algorithm: 'fixed-window' },
  { name: 'key', key: byApiKey(), limit: 2, window: '1m', algorithm: 'fixed-window' },
] as const;

/** Admits three requests. */
async function send(gate: Gate<HttpRequest>, request: HttpRequest): Promise<string[]> {
  const states = [];
  for (let count = 0; count < 3; count += 1) {
    states.push((await gate.admit({ ...request }, exchange().response)).state);
  }
  return states;
}

const fresh = ['admitted', 'admitted', 'denied'];
const spent = ['denied', 'denied', 'denied'];

describe('reset and inspect of the limiter of a gate', () => {
  it.each([
    ['C46', '::ffff:1.2.3.4', '1.2.3.4'],
    ['C46', '1.2.3.4', '::ffff:102:304'],
    ['C46', '1.2.3.4', '1.2.3.4:51234'],
    ['C47', '2001:db8:0:1::1', '2001:DB8:0:1:ffff::'],
    ['C47', '2001:db8:0:1::1', '2001:db8:0:1::1.2.3.4'],
  ])('%s: find the budgets of %s by the address %s', async (_contract, client, ip) => {
    const gate = createGate<HttpRequest>({ tiers });
    const before = await send(gate, { ip: client, headers: {} });

    const used = await gate.limiter.inspect({ ip });
    await gate.limiter.reset({ ip });

    expect(before).toEqual(fresh);
    expect(used.map(({ outcome }) => outcome.remaining)).toEqual([0, 0]);
    expect(await send(gate, { ip: client, headers: {} })).toEqual(fresh);
  });

  it('find budgets of keys by a header, and leave those of other clients', async () => {
    const gate = createGate<HttpRequest>({ tiers: [tiers[1]] });
    const client = { ip: '1.2.3.4', headers: { 'x-api-key': 'k-1' } };
    await send(gate, client);

    await gate.limiter.reset({ ip: '1.2.3.4' });
    const other = await send(gate, client);
    await gate.limiter.reset({ headers: { 'x-api-key': 'k-1' } });

    expect([other, await send(gate, client)]).toEqual([spent, fresh]);
  });
});
