import { createGate } from '../http/gate/gate.js';
import { exchange } from '../testing/internal/exchange.js';
import { FastifyResponse } from './fastify.js';

describe('FastifyResponse', () => {
  it('passes headers to Fastify', async () => {
    const { names, response } = reply();

    await gateOf(5).admit({}, response);

    expect(names).toEqual(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']);
  });

  it.each([
    ['admits', 5],
    ['denies', 0],
  ])('leaves a hijacked reply alone if the gate %s', async (_case, limit) => {
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
