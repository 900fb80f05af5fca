import { Socket } from 'node:net';

import type { KeyFunction } from '../../limiter/key-function.js';
import { createLimiter } from '../../limiter/limiter.js';
import { nodeResponse } from '../../testing/internal/node-response.js';
import type { HeaderFormat } from '../headers/header-formats.js';
import { byApiKey } from '../keys/api-key.js';
import { compose } from '../keys/compose.js';
import { byIp } from '../keys/ip.js';
import type { HttpRequest } from '../request.js';
import { addStateHolder, findState, reportedAddress, stateOf, type GateDecision } from './request-state.js';

const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
const ip = '192.0.2.1';
const response = nodeResponse();

describe('stateOf', () => {
  it('makes the state of a request once', () => {
    const request = { ip };
    const before = findState(request);

    const state = stateOf(request, response);

    expect(before).toBeUndefined();
    expect([stateOf(request, response), findState(request)]).toEqual([state, state]);
    expect(findState({ ip })).toBeUndefined();
  });

  it('finds no state of a copy that has another address', () => {
    const request: HttpRequest = { ip };
    stateOf(request, response);

    const copies = [{ ...request, ip: '192.0.2.2' }, Object.assign(Object.create(request), { ip: '192.0.2.2' })];

    expect(copies.map(byIp())).toEqual(copies.map(() => ({ kind: 'ip', parts: ['192.0.2.2'] })));
  });

  it.each([undefined, null, 5, 'request'])('is undefined for %p', (subject) => {
    expect(findState(subject)).toBeUndefined();
  });
});

describe('addStateHolder', () => {
  const symbolsOf = (object: object) => Object.getOwnPropertySymbols(object).length;

  beforeAll(() => addStateHolder((request: { res?: { locals?: unknown } }) => request.res?.locals));

  it('has the holder carry the state, and adds nothing to the request', () => {
    const request = { ip, res: { locals: {} } };

    const state = stateOf(request, response);

    expect([stateOf(request, response), findState(request)]).toEqual([state, state]);
    expect([symbolsOf(request), symbolsOf(request.res.locals)]).toEqual([0, 1]);
  });

  it('keeps the states of a request and of its copy apart', () => {
    const request = { ip, res: { locals: {} } };
    const copy = { ...request, ip: '192.0.2.2' };

    const states = [stateOf(request, response), stateOf(copy, response)];

    expect(states.map((state) => state.readAddress())).toEqual([ip, '192.0.2.2']);
    expect([findState(request) === states[0], findState(copy) === states[1]]).toEqual([true, true]);
  });

  it.each([undefined, null, Object.freeze({}), 'locals'])('has the request carry the state for locals %p', (locals) => {
    const request = { ip, res: { locals } };

    const state = stateOf(request, response);

    expect(findState(request)).toBe(state);
    expect(symbolsOf(request)).toBe(1);
  });
});

describe('RequestState', () => {
  it('reads the address once, when the request enters', () => {
    const addresses = ['::ffff:192.0.2.1', undefined];
    const { request, reads } = requestWith({}, () => addresses.shift());

    const state = stateOf(request, response);
    stateOf(request, response);

    expect([state.readAddress(), state.readAddress()]).toEqual(['::ffff:192.0.2.1', '::ffff:192.0.2.1']);
    expect(reads).toHaveLength(1);
  });

  it('reads the address on demand over an HTTP/1 socket, which remembers its peer', () => {
    const { request, reads } = requestWith({ httpVersionMajor: 1, socket: socketOf(ip) });

    const state = stateOf(request, response);
    const readsBefore = reads.length;

    expect([state.readAddress(), state.readAddress()]).toEqual([ip, ip]);
    expect([readsBefore, reads.length]).toEqual([0, 1]);
  });

  it.each([
    ['over HTTP/2, where the socket ends with the request', { httpVersionMajor: 2, socket: socketOf(ip) }],
    ['over a socket without an address', { httpVersionMajor: 1, socket: socketOf(undefined) }],
  ])('reads the address at once %s', (_case, members) => {
    const { request, reads } = requestWith(members);

    stateOf(request, response);

    expect(reads).toHaveLength(1);
  });

  it('keeps decisions in order, and those apart that headers report', async () => {
    const state = stateOf({ ip }, response);
    const [silent, reported] = [await decided([], byIp()), await decided(['x-ratelimit'], byIp())];

    state.add(silent);
    state.add(reported);

    expect(state.decisions).toEqual([silent, reported]);
    expect(state.reported).toEqual([reported]);
    expect(state.reportedFirst).toEqual([reported, silent]);
  });

  it('says the wait of a rate, although the hint of a permit is longer', async () => {
    const state = stateOf({ ip }, response);
    const { gate, formats } = await decided([], byIp());
    const rate = createLimiter({ key: () => 'ada', algorithm: 'fixed-window', limit: 1, window: '1s' });
    const permits = createLimiter({ key: () => 'ada', algorithm: 'concurrency', limit: 1, retry: '30s' });
    const free = createLimiter({ key: () => 'ada', limit: 9, window: '1m' });

    const waits: number[] = [];
    for (const limiter of [free, permits, rate]) {
      if (limiter !== free) await limiter.consume({});
      state.add({ gate, limiter, decision: await limiter.consume({}), formats });
      waits.push(state.retryAfter);
    }

    expect(waits.slice(0, 2)).toEqual([0, 30_000]);
    expect(waits[2]).toBeGreaterThan(0);
    expect(waits[2]).toBeLessThanOrEqual(1_010);
  });

  it.each<[HeaderFormat[][], HeaderFormat[]]>([
    [
      [['x-ratelimit', 'draft-11'], ['x-ratelimit']],
      ['x-ratelimit', 'draft-11'],
    ],
    [
      [['draft-7'], ['draft-11', 'x-ratelimit']],
      ['draft-7', 'x-ratelimit'],
    ],
  ])('joins the formats %j of gates, with the first draft only', async (gates, formats) => {
    const state = stateOf({ ip }, response);

    for (const each of gates) state.add(await decided(each, byIp()));

    expect(state.formats).toEqual(formats);
  });
});

describe('RequestState, warnings', () => {
  const presented = byApiKey();

  beforeEach(() => warnings.mockClear());

  it.each<[string, ...KeyFunction<HttpRequest>[]]>([
    ['addresses alone', byIp()],
    ['keys and addresses', presented, byIp()],
    ['keys, and addresses that are read elsewhere', presented, byIp({ from: () => ip })],
    ['verified keys', byApiKey({ from: () => 17 })],
    ['keys, and a marked function', presented, Object.assign(() => 'a', { bounds: 'address' } as const)],
  ])('does not warn of a limiter of %s', async (_case, ...keys) => {
    stateOf({ ip }, response).add(await decided([], ...keys));

    expect(codes()).toEqual([]);
  });

  it('does not warn of keys behind a limiter of addresses', async () => {
    const state = stateOf({ ip }, response);

    state.add(await decided([], byIp()));
    state.add(await decided([], presented));

    expect(codes()).toEqual([]);
  });

  it('warns once of unverified API keys without a limit by address before or beside them', async () => {
    const state = stateOf({ ip }, response);
    // Each new key makes a new combination.
    const combined = compose(byIp(), presented);

    state.add(await decided([], () => 'ada'));
    state.add(await decided([], presented, combined, () => 'ada'));
    const before = codes();
    state.add(await decided([], byIp()));

    expect([before, codes()]).toEqual([['SLUICE_UNBOUNDED_API_KEYS'], ['SLUICE_UNBOUNDED_API_KEYS']]);
  });

  it('warns of a limiter that counts a request twice', async () => {
    const state = stateOf({ ip }, response);
    const once = await decided([], byIp());

    state.add(once);
    state.add(await decided([], byIp()));
    const before = codes();
    state.add(once);

    expect([before, codes()]).toEqual([[], ['SLUICE_COUNTED_TWICE']]);
  });
});

describe('reportedAddress', () => {
  const socket = { remoteAddress: '10.0.0.1' };

  it.each<[string, HttpRequest, string | undefined]>([
    ['`ip` of the framework', { ip, socket }, ip],
    ['`ip` of the framework, even if undefined', { ip: undefined, socket }, undefined],
    ['an inherited `ip`', Object.create({ ip }) as HttpRequest, ip],
    ['the peer without a framework', { socket }, '10.0.0.1'],
    ['undefined without a socket', {}, undefined],
  ])('returns %s', (_case, request, address) => {
    expect(reportedAddress(request)).toBe(address);
  });
});

function socketOf(remoteAddress: string | undefined): Socket {
  return Object.create(Socket.prototype, { remoteAddress: { value: remoteAddress } }) as Socket;
}

/** A request that records each read of its address. */
function requestWith(members: object, read: () => string | undefined = () => ip) {
  const reads: unknown[] = [];
  const request = Object.defineProperty({ ...members }, 'ip', {
    get() {
      reads.push('read');
      return read();
    },
  });
  return { request: request as HttpRequest, reads };
}

/** A decision by tiers with these keys. */
async function decided(formats: readonly HeaderFormat[], ...keys: KeyFunction<HttpRequest>[]): Promise<GateDecision> {
  const tiers = keys.map((key, index) => ({ name: `tier ${index}`, key, limit: 5, window: '1m' }) as const);
  const limiter = createLimiter<HttpRequest>({ tiers });
  const decision = await limiter.consume({ ip, headers: { 'x-api-key': 'k-1' } });
  return { gate: {}, limiter, decision, formats };
}

function codes(): unknown[] {
  return warnings.mock.calls.map(([, options]) => (options as { code?: unknown } | undefined)?.code);
}
