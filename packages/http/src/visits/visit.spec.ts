import { Socket } from 'node:net';

import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Decision } from '../../../core/src/model/decision.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import { byIp } from '../keys/ip.js';
import type { HttpRequest } from '../request/request.js';
import { createGate } from '../gate/gate.js';
import { attach, current, decide, decidedVisitOf, reportedAddress, Visit, visitOf } from './visit.js';

const ip = '192.0.2.1';
const response = nodeResponse();
const limiter = createLimiter<HttpRequest>({ key: () => 'ada', limit: 1_000, window: '1m' });
const gate = { limiter, formats: [] };
const visitTo = (request: HttpRequest) => new Visit(gate, request, response);
const decided = (request: HttpRequest) => decide(visitTo(request), limiter.consume(request) as Decision);

describe('Visit', () => {
  it('reads the address once, when the request enters', () => {
    const addresses = ['::ffff:192.0.2.1', undefined];
    const { request, reads } = requestWith({}, () => addresses.shift());

    const visit = visitTo(request);

    expect([visit.readAddress(), visit.readAddress()]).toEqual(['::ffff:192.0.2.1', '::ffff:192.0.2.1']);
    expect(reads).toHaveLength(1);
  });

  it('has the address that an earlier gate has read', () => {
    const { request, reads } = requestWith({ httpVersionMajor: 1, socket: socketOf(ip) });
    const first = visitTo(request);
    first.readAddress();
    decide(first, limiter.consume(request) as Decision);

    const second = visitTo(request);

    expect([second.earlier, second.readAddress(), reads.length]).toEqual([first, ip, 1]);
  });

  it.each([
    ['Node', { httpVersionMajor: 1 }],
    ['a framework', { raw: { httpVersionMajor: 1 } }],
  ])('reads the address of %s on demand over an HTTP/1 socket, which remembers its peer', (_case, members) => {
    const { request, reads } = requestWith({ ...members, socket: socketOf(ip) });

    const visit = visitTo(request);
    const readsBefore = reads.length;

    expect([visit.readAddress(), visit.readAddress()]).toEqual([ip, ip]);
    expect([readsBefore, reads.length]).toEqual([0, 1]);
  });

  it.each([
    ['over HTTP/2, where the socket ends with the request', { httpVersionMajor: 2, socket: socketOf(ip) }],
    ['over a socket without an address', { httpVersionMajor: 1, socket: socketOf(undefined) }],
  ])('reads the address immediately %s', (_case, members) => {
    const { request, reads } = requestWith(members);

    visitTo(request);

    expect(reads).toHaveLength(1);
  });

  it('does not read the address at entry over an HTTP/1 socket, which remembers its peer', () => {
    const { request, reads } = requestWith({ httpVersionMajor: 1, socket: socketOf(ip) });

    visitTo(request);

    expect(reads).toEqual([]);
  });

  it('has at a gate the address that an HTTP/2 request had before its identity was awaited', async () => {
    const request = { ip: '192.0.2.1' as string | undefined, httpVersionMajor: 2, socket: socketOf(ip) };
    const late = async (subject: HttpRequest) => Promise.resolve(byIp()(subject));
    const key = async (subject: HttpRequest) => Promise.resolve().then(() => late(subject));
    const admitted = createGate<HttpRequest>({ key, limit: 5, window: '1m' }).admit(request, response);
    request.ip = undefined;
    await admitted;

    expect(decidedVisitOf(request)!.readAddress()).toBe(ip);
  });

  it('has the address of a request that an earlier gate has not counted', async () => {
    const request: HttpRequest & { ip?: string | undefined } = { ip };
    await createGate<HttpRequest>({ key: byIp(), limit: 5, window: '1m', skip: () => true }).admit(request, response);
    Object.assign(request, { ip: undefined });

    const visit = visitTo(request);

    expect([visit.readAddress(), visit.earlier]).toEqual([ip, undefined]);
  });
});

describe('visitOf', () => {
  it('finds a visit while its limiter calls functions, while it is attached, and when it is decided', () => {
    const request = { ip };
    const visit = visitTo(request);
    const before = visitOf(request);
    current.visit = visit;
    const during = visitOf(request);
    current.visit = undefined;
    const after = visitOf(request);
    attach(visit);

    expect([before, during, after, visitOf(request)]).toEqual([undefined, visit, undefined, visit]);
    expect(visitOf({ ip })).toBeUndefined();
    const other = { ip };
    const last = decided(other);
    expect([visitOf(other) === last, decidedVisitOf(other) === last]).toEqual([true, true]);
  });

  it('finds none for a copy of a request', () => {
    const request: HttpRequest = { ip };
    decided(request);
    attach(visitTo(request));

    const copies = [{ ...request, ip: '192.0.2.2' }, Object.assign(Object.create(request), { ip: '192.0.2.2' })];

    expect(copies.map((copy) => [visitOf(copy), decidedVisitOf(copy)])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(copies.map(byIp())).toEqual(copies.map(() => ({ kind: 'ip', parts: ['192.0.2.2'] })));
  });

  it.each([undefined, null, 5, 'request'])('is undefined for %p', (subject) => {
    expect(visitOf(subject)).toBeUndefined();
  });

  it.each([Object.freeze({ ip }), { ip, rateLimit: { remaining: 5 } }])(
    'is undefined for %p, whose property has no decision',
    (request) => {
      expect([visitOf(request), decidedVisitOf(request)]).toEqual([undefined, undefined]);
    },
  );
});

describe('decide', () => {
  it('leaves a frozen request as it is', () => {
    const request = Object.freeze({ ip });

    expect(decided(request).earlier).toBeUndefined();
    expect(decidedVisitOf(request)).toBeUndefined();
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
