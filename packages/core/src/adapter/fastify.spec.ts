import { exchange } from '../testing/internal/exchange.js';
import { createGate } from '../http/gate/gate.js';
import { FastifyResponse } from './fastify.js';

describe('a reply as a gate sees it', () => {
  it('passes headers on to Fastify', async () => {
    const { names, response } = reply();

    await gateOf(5).admit({}, response);

    expect(names).toEqual(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']);
  });

  it.each([
    ['admits', 5],
    ['denies', 0],
  ])('is left alone when it was hijacked, by a gate that %s', async (_what, limit) => {
    const { names, response, raw } = reply({ sent: true });

    const admission = await gateOf(limit).admit({}, response);

    expect(admission).toEqual({ state: 'ended' });
    expect([names, raw.writableEnded]).toEqual([[], false]);
  });
});

function gateOf(limit: number) {
  return createGate({ limit: () => limit, window: '1m', key: () => 'ada' });
}

function reply({ sent = false } = {}) {
  const names: string[] = [];
  const { response: raw } = exchange();
  const like = { raw, sent, getHeader: () => undefined, header: (name: string) => names.push(name) };
  return { names, raw, response: new FastifyResponse(like) };
}
