import { createGate } from '../gate/gate.js';
import { exchange } from '../../../../test/support/exchange.js';
import { FastifyResponse, fastifyTrust } from './fastify.js';

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

describe('fastifyTrust', () => {
  it.each([
    [undefined, 'none'],
    [false, 'none'],
    [0, 'none'],
    ['', 'none'],
    [true, 'all'],
    [1, 'ignored'],
    ['127.0.0.1', 'some'],
    [['127.0.0.1'], 'some'],
    [() => true, 'some'],
  ])('is what the option trustProxy means: %p', (trustProxy, trust) => {
    expect(fastifyTrust({ [Symbol('fastify.options')]: { trustProxy } })).toBe(trust);
  });

  it.each([
    ['5.0.0', 'some'],
    ['5.12.0', 'some'],
    ['5.12.1', 'ignored'],
    ['5.13.0', 'ignored'],
    ['6.0.0', 'ignored'],
  ])('is what a number of hops means to Fastify %s', (version, trust) => {
    expect(fastifyTrust({ version, [Symbol('fastify.options')]: { trustProxy: 1 } })).toBe(trust);
  });

  it('is of no proxy that would be warned of, without options', () => {
    expect(fastifyTrust({})).toBe('some');
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
