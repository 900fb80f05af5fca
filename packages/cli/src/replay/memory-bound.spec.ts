import * as fc from 'fast-check';
import { loggedRequest } from '../../../../test/support/logged-request.js';
import { Demand } from './demand.js';
import { memoryBound } from './memory-bound.js';

const requestOf = (ip: string, time: number) => loggedRequest({ ip, time, path: `/${time}` });

const demandWithin = (bound: { requests: number; clients: number; characters: number }, hasDetails = false) =>
  new Demand({ kind: 'ip', lengths: [60_000], hasCosts: false, hasDetails, bound });

describe('memoryBound', () => {
  it('gives a request 100 bytes and a client of two tiers 3 kB, within what a process may have', () => {
    const any = fc.tuple(fc.integer({ min: 2 ** 26, max: 2 ** 33 }), fc.integer({ min: 2 ** 26, max: 2 ** 40 }));

    expect(() =>
      fc.assert(
        fc.property(any, ([heap, memory]) => {
          const { requests, clients, characters } = memoryBound(2, heap, memory);
          return (
            requests * 100 <= memory &&
            requests <= 100_000_000 &&
            (clients === 1_000 || clients * 3_000 + characters <= heap) &&
            clients >= 1_000 &&
            memoryBound(4, heap, memory).clients <= Math.max(1_000, (clients + 1) * 0.6)
          );
        }),
      ),
    ).not.toThrow();
  });
});

describe('Demand', () => {
  it('leaves out and counts requests of further clients, and keeps those that it knows', () => {
    const demand = demandWithin({ requests: 100, clients: 2, characters: 1_000 });
    for (const [time, ip] of ['a', 'b', 'c', 'a', 'd', 'c'].entries()) demand.add(requestOf(ip, time));

    expect(demand).toMatchObject({ requests: 3, leftOut: 3, unidentified: 0, isFull: false });
    expect(demand.clients.map(({ name, index }) => [name, demand.signs.of(index).requests])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('takes a long name for as much as several clients have, which it may be in each tier', () => {
    const demand = demandWithin({ requests: 100, clients: 10, characters: 1_000 });
    for (let time = 0; time < 20; time += 1) demand.add(requestOf(`${time}`.padEnd(250, 'a'), time));

    expect(demand).toMatchObject({ requests: 4, leftOut: 16 });
  });

  it('is full at the most requests, and at the most characters of what functions read', () => {
    const [rows, texts] = [
      demandWithin({ requests: 3, clients: 10, characters: 1_000 }),
      demandWithin({ requests: 100, clients: 10, characters: 1_000 }, true),
    ];
    for (let time = 0; time < 50; time += 1) for (const each of [rows, texts]) each.add(requestOf('a', time));

    expect(rows).toMatchObject({ requests: 3, isFull: true });
    expect(texts.isFull).toBe(true);
    expect(texts.requests).toBeLessThan(20);
  });

  it('takes one client with any number of addresses of its IPv6 network', () => {
    const demand = demandWithin({ requests: 1_000, clients: 2, characters: 1_000 });
    for (let time = 0; time < 100; time += 1) demand.add(requestOf(`2001:db8::${time.toString(16)}`, time));

    expect(demand).toMatchObject({ requests: 100, leftOut: 0 });
    expect(demand.clients).toHaveLength(1);
  });
});
