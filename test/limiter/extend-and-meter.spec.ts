import { EventEmitter } from 'node:events';

import type { Decision, Store } from '@sluice/core';
import * as fc from 'fast-check';
import { limiterOf, newCaller, onEveryStore, remainingIn, tier } from './every-store.js';

const tokens = tier('tokens', 100);
const day = tier('day', 500, { window: '1d' });
const requests = tier('requests', 10, { cost: 1 });

onEveryStore((newStore: () => Store) => {
  const given = async (cost: number, ...tiers: Parameters<typeof limiterOf>[1][]) => {
    const limiter = limiterOf(newStore(), ...tiers);
    const caller = newCaller();
    const decision = await limiter.consume(caller, { cost });
    const left = async () => remainingIn(await limiter.peek(caller, { cost: 0 }));
    return { limiter, caller, decision, left };
  };

  describe('extend', () => {
    it('charges named tiers, and returns what they have left', async () => {
      const { limiter, decision, left } = await given(10, tokens, day, requests);

      const extended = await limiter.extend(decision, { tokens: 30, day: 40 });

      expect(extended).toMatchObject({ allowed: true, reason: 'ok' });
      expect(remainingIn(extended)).toEqual({ day: 450, tokens: 60 });
      expect(await left()).toEqual({ day: 450, tokens: 60, requests: 9 });
    });

    it('charges no tier when one denies', async () => {
      const { limiter, decision, left } = await given(10, tokens, day);

      const denied = await limiter.extend(decision, { tokens: 91, day: 5 });

      expect(denied).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['tokens'] });
      expect(denied.retryAfter).toBeGreaterThan(0);
      expect(await left()).toEqual({ day: 490, tokens: 90 });
    });

    it('is refunded with its decision, once', async () => {
      const { limiter, decision, left } = await given(10, tokens, day);
      for (let lot = 0; lot < 3; lot += 1) await limiter.extend(decision, { tokens: 20 });

      expect(await limiter.refund(decision, { tokens: 50, day: 4 })).toBe(54);
      expect(await limiter.refund(decision)).toBe(0);
      expect(await left()).toEqual({ day: 494, tokens: 80 });
    });

    it.each([
      [75, 5],
      [70, 0],
      [12, -58],
      [0, -70],
    ])('is settled with its decision, to %i units', async (cost, change) => {
      const { limiter, decision, left } = await given(10, tokens);
      for (let lot = 0; lot < 3; lot += 1) await limiter.extend(decision, { tokens: 20 });

      expect(await limiter.settle(decision, cost)).toBe(change);
      expect(await limiter.settle(decision, 100)).toBe(0);
      expect(await left()).toEqual({ tokens: 100 - cost });
    });

    it('is settled once it is charged, when both are sent together', async () => {
      const { limiter, decision, left } = await given(10, tokens);

      const both = [limiter.extend(decision, { tokens: 80 }), limiter.settle(decision, 95)] as const;

      expect((await both[0]).allowed).toBe(true);
      expect(await both[1]).toBe(5);
      expect(await left()).toEqual({ tokens: 5 });
    });

    it('is refunded once it is charged, when both are sent together', async () => {
      const { limiter, decision, left } = await given(10, tokens);

      const both = [limiter.extend(decision, { tokens: 80 }), limiter.refund(decision)] as const;

      expect(await both[1]).toBe(90);
      expect(await left()).toEqual({ tokens: 100 });
    });

    it('rejects a request that does not run, and charges nothing', async () => {
      const { limiter, caller, decision, left } = await given(10, tokens);
      const denied = await limiter.consume(caller, { cost: 95 });
      await limiter.settle(decision, 10);

      for (const each of [denied, decision]) {
        await expect(limiter.extend(each, { tokens: 5 })).rejects.toMatchObject({
          code: 'USAGE_INVALID',
          message: 'extend takes an allowed decision that was not settled or refunded',
        });
      }
      expect(await left()).toEqual({ tokens: 90 });
    });

    it.each<[units: unknown, message: RegExp]>([
      [256, /units must name tiers, such as \{ tokens: 256 \}, got 256/],
      [{ tokesn: 5 }, /must name tiers of this limiter \(tokens\), got "tokesn"/],
      [{ tokens: -1 }, /units must be an integer of at least 0, got -1/],
    ])('rejects %j', async (units, message) => {
      const { limiter, decision } = await given(10, tokens);

      const error = { name: 'UsageError', message: expect.stringMatching(message) };
      await expect(limiter.extend(decision, units as never)).rejects.toMatchObject(error);
    });

    it('charges a shadow tier if its units fit, and never denies for it', async () => {
      const shadow = tier('shadow', 30, { mode: 'shadow' });
      const { limiter, decision, left } = await given(10, tokens, shadow);

      const extended = [
        await limiter.extend(decision, { tokens: 5, shadow: 15 }),
        await limiter.extend(decision, { tokens: 5, shadow: 15 }),
      ];

      expect(extended.map(({ allowed }) => allowed)).toEqual([true, true]);
      expect(await left()).toEqual({ tokens: 80, shadow: 5 });
      expect(await limiter.settle(decision, { shadow: 20 })).toBe(-5);
    });

    it('skips a shadow tier that the request did not fit, as settle does', async () => {
      const { limiter, decision, left } = await given(10, tokens, tier('shadow', 9, { mode: 'shadow' }));

      await limiter.extend(decision, { tokens: 5, shadow: 5 });

      expect(await left()).toEqual({ tokens: 85, shadow: 9 });
      expect(await limiter.settle(decision, 20)).toBe(5);
      expect(await left()).toEqual({ tokens: 80, shadow: 9 });
    });

    it('denies more of a limit of 0, and skips a tier that does not apply', async () => {
      const none = tier('none', 1, { limit: () => 0, cost: () => 0 });
      const other = tier('other', 1, { limit: () => null });
      const { limiter, decision, left } = await given(10, tokens, none, other);

      expect(await limiter.extend(decision, { none: 1, tokens: 5 })).toMatchObject({ allowed: false, reason: 'never' });
      expect(await limiter.extend(decision, { other: 1, tokens: 5 })).toMatchObject({ allowed: true });
      expect(await left()).toEqual({ tokens: 85, none: 0 });
    });
  });

  describe('meter', () => {
    it('charges lots while units are added, and settles what was added', async () => {
      const { limiter, decision, left } = await given(5, tokens, requests);
      const meter = limiter.meter(decision, { tier: 'tokens', lot: 20 });

      expect(meter.add(4)).toBe(true);
      expect(await meter.add(1)).toBe(true);
      const during = await left();
      expect(await meter.add(30)).toBe(true);

      expect(during).toEqual({ tokens: 75, requests: 9 });
      expect(await left()).toEqual({ tokens: 55, requests: 9 });
      expect([meter.added, await meter.end(), await meter.end()]).toEqual([35, -10, -10]);
      expect(await left()).toEqual({ tokens: 65, requests: 9 });
      expect(await meter.add(1)).toBe(false);
    });

    it('says false when the budget is used up, after the last units of it', async () => {
      const { limiter, decision, left } = await given(1, tokens);
      const meter = limiter.meter(decision, { tier: 'tokens', lot: 30 });

      const room = [];
      for (let unit = 0; unit < 100; unit += 1) room.push(await meter.add(1));

      expect(room.indexOf(false)).toBe(99);
      expect(await meter.end()).toBe(0);
      expect(await left()).toEqual({ tokens: 0 });
    });

    it('meters several tiers, and ends when one of them is used up', async () => {
      const { limiter, decision, left } = await given(10, tokens, tier('day', 50, { window: '1d' }));
      const meter = limiter.meter(decision, { tier: ['tokens', 'day'], lot: 16 });

      const room = [await meter.add(30), await meter.add(19), await meter.add(1)];

      expect(room).toEqual([true, true, false]);
      await meter.end();
      expect(await left()).toEqual({ day: 0, tokens: 50 });
    });

    it('settles a cost that is known better, and other tiers by name', async () => {
      const { limiter, decision, left } = await given(5, tokens, day);
      const meter = limiter.meter(decision, { tier: 'tokens', lot: 10 });
      await meter.add(20);

      await expect(meter.end(1.5)).rejects.toMatchObject({ code: 'COST_INVALID' });
      await meter.end({ tokens: 18, day: 90 });

      expect(await left()).toEqual({ day: 410, tokens: 82 });
    });

    it('settles what was added when the response closes first', async () => {
      const { limiter, decision, left } = await given(5, tokens);
      const response = new EventEmitter();
      const meter = limiter.meter(decision, { tier: 'tokens', lot: 20, response });

      const adding = meter.add(7);
      response.emit('close');

      expect(await adding).toBe(false);
      await meter.end();
      expect(await left()).toEqual({ tokens: 93 });
    });

    it('leaves a socket that outlives it, and listens once with all others of that socket', async () => {
      const { limiter, decision, left } = await given(5, tokens);
      const socket = new EventEmitter();
      const meterOf = (metered: Decision) => limiter.meter(metered, { tier: 'tokens', lot: 20, response: socket });
      for (let stream = 0; stream < 12; stream += 1) {
        const ended = meterOf(await limiter.consume(newCaller()));
        await ended.end();
      }
      const streams = [meterOf(decision), meterOf(await limiter.consume(newCaller()))];

      expect(socket.listenerCount('close')).toBe(1);
      socket.emit('close');
      expect(await Promise.all(streams.map((each) => each.add(1)))).toEqual([false, false]);
      expect(await left()).toEqual({ tokens: 100 });
    });

    it.each(['destroyed', 'closed'])('settles immediately for a response that is %s', async (member) => {
      const { limiter, decision, left } = await given(5, tokens);
      const response = Object.assign(new EventEmitter(), { [member]: true });

      const meter = limiter.meter(decision, { tier: 'tokens', lot: 20, response });

      expect(await meter.add(7)).toBe(false);
      await meter.end();
      expect(await left()).toEqual({ tokens: 100 });
    });

    it.each<[options: object, message: RegExp]>([
      [{ tier: 'tokens', lot: 0 }, /lot must be an integer of at least 1, got 0/],
      [{ tier: 'tokesn', lot: 5 }, /must name tiers of this limiter \(tokens\), got "tokesn"/],
    ])('rejects the options %j', async (options, message) => {
      const { limiter, decision } = await given(10, tokens);

      expect(() => limiter.meter(decision, options as never)).toThrow(message);
    });

    it('rejects a tier of permits, as extend does', async () => {
      const running = { name: 'running', key: tokens.key, algorithm: 'concurrency', limit: 2 } as const;
      const { limiter, decision } = await given(1, tokens, running);
      const message = 'tier "running" gives permits, which do not grow: leave it out';

      expect(() => limiter.meter(decision, { tier: ['tokens', 'running'], lot: 5 })).toThrow(`meter: ${message}`);
      await expect(limiter.extend(decision, { running: 1 })).rejects.toThrow(`extend: ${message}`);
      await limiter.release(decision);
    });

    it.each([
      ['a pause', { algorithm: 'pause' }],
      ['a ban', { algorithm: 'fixed-window', limit: 3, window: '1h', charge: 'denied' }],
    ] as const)('rejects %s, which charges no admitted request, as extend does', async (_name, options) => {
      const { limiter, decision } = await given(1, tokens, { ...options, name: 'other', key: tokens.key });
      const message = 'tier "other" charges no admitted request: leave it out';

      expect(() => limiter.meter(decision, { tier: ['tokens', 'other'], lot: 5 })).toThrow(`meter: ${message}`);
      await expect(limiter.extend(decision, { other: 1 })).rejects.toThrow(`extend: ${message}`);
    });

    it('settles as much as was added, for streams that are aborted anywhere', async () => {
      const chunks = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 });
      const stream = fc.record({
        chunks,
        lot: fc.integer({ min: 1, max: 60 }),
        reserved: fc.integer({ min: 0, max: 30 }),
      });
      await fc.assert(
        fc.asyncProperty(stream, fc.boolean(), async ({ chunks: sent, lot, reserved }, waits) => {
          const wide = tier('wide', 100_000);
          const { limiter, decision, left } = await given(reserved, wide);
          const response = new EventEmitter();
          const meter = limiter.meter(decision, { tier: 'wide', lot, response });
          for (const chunk of sent) {
            const room = meter.add(chunk);
            if (waits) await room;
          }
          response.emit('close');
          await meter.end();

          expect(await left()).toEqual({ wide: 100_000 - sent.reduce((sum, chunk) => sum + chunk, 0) });
        }),
        { numRuns: 25 },
      );
    });

    // https://github.com/BerriAI/litellm/issues/18730: five requests used 663 tokens of a budget of 100.
    it('lets five streams of one budget use at most the budget and a chunk', async () => {
      const limiter = limiterOf(newStore(), tokens);
      const caller = newCaller();
      const chunk = 7;

      const used = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const decision = await limiter.consume(caller, { cost: 2 * chunk });
          const meter = limiter.meter(decision, { tier: 'tokens', lot: 2 * chunk });
          for (let added = 0; added < 663; added += chunk) if (!(await meter.add(chunk))) break;
          await meter.end();
          return meter.added;
        }),
      );

      const total = used.reduce((sum, each) => sum + each, 0);
      expect(total).toBeGreaterThanOrEqual(100);
      expect(total).toBeLessThanOrEqual(100 + chunk);
      expect(remainingIn(await limiter.peek(caller, { cost: 0 }))).toEqual({ tokens: 0 });
    });
  });
});
