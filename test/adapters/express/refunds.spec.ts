import { createLimiter, memoryStore, rateLimit, type Decision, type Limiter } from '@sluice/express';
import { fakeClock } from '@sluice/core/testing';
import type { Request, RequestHandler, Response } from 'express';
import { get } from 'node:http';
import { statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { onEachStore } from './kept.js';
import { siteOpener } from './site.js';

const LIMIT = 10;
const window = '1h';

describe.each(versions)('refundWhen on %s', (_version, express) => {
  const open = siteOpener();

  onEachStore((kept) => {
    it.each<[string, (status: number) => boolean | Promise<boolean>, expected: number]>([
      ['of successes leaves failures counted', (status) => status < 400, 2],
      ['of failures leaves successes counted', (status) => status >= 500, 3],
      ['that is async is waited for', async (status) => status < 400, 2],
      ['of everything leaves nothing counted', () => true, 0],
      ['of nothing leaves everything counted', () => false, 4],
    ])('%s', async (_rule, refundWhen, expected) => {
      const gate = rateLimit({ store: kept.newStore(), name: 'hour', limit: LIMIT, window, refundWhen });
      const site = await open(served(express, gate, statusFromPath));

      const answers = await site.askEach(['/200', '/401', '/204', '/500'].map((path) => ({ path })));

      expect(statusesOf(answers)).toEqual([200, 401, 204, 500]);
      await until(async () => (await spent(gate.limiter)) === expected);
    });

    it('gives back what each tier took, once: nothing is left to refund', async () => {
      const decisions: Decision[] = [];
      const gate = rateLimit({
        store: kept.newStore(),
        tiers: [
          { name: 'units', limit: 100, window, cost: 7 },
          { name: 'requests', limit: LIMIT, window },
        ],
        refundWhen: () => true,
      });
      const site = await open(
        served(express, gate, (request, _response, next) => {
          decisions.push(gate.decision(request)!);
          next();
        }),
      );

      await site.ask();
      await until(async () => (await spent(gate.limiter, 'units')) === 0);
      const again = await gate.limiter.refund(decisions[0]!);

      expect(again).toBe(0);
      expect(await spent(gate.limiter, 'requests')).toBe(0);
    });
  });

  it('is asked with the status and the request, and not about requests that were denied', async () => {
    const asked: unknown[] = [];
    const refundWhen = (status: number, { path }: Request) => {
      asked.push([status, path]);
      return false;
    };
    const site = await open(served(express, rateLimit({ limit: 2, window, refundWhen }), statusFromPath));

    await site.askEach(['/201', '/500', '/200'].map((path) => ({ path })));

    expect(asked).toEqual([
      [201, '/201'],
      [500, '/500'],
    ]);
  });

  it('never gives anything to another window than the one it was taken from', async () => {
    const clock = fakeClock();
    const limiter = createLimiter<Request>({
      store: memoryStore({ clock }),
      name: 'minute',
      key: () => 'everybody',
      algorithm: 'fixed-window',
      limit: LIMIT,
      window: '1m',
    });
    const site = await open(
      served(express, rateLimit({ limiter, refundWhen: () => true }), async (request, _response, next) => {
        clock.advance('61s');
        await limiter.consume(request, { cost: 3 });
        next();
      }),
    );

    await site.ask();
    await settled();

    expect(await spent(limiter)).toBe(3);
  });

  it('does not give back what time has given back already', async () => {
    const clock = fakeClock();
    const gate = rateLimit({
      store: memoryStore({ clock }),
      name: 'bucket',
      algorithm: 'token-bucket',
      limit: LIMIT,
      window: '10s',
      refundWhen: () => true,
    });
    const site = await open(
      served(express, gate, async (request, _response, next) => {
        clock.advance('1s');
        await gate.limiter.consume(request);
        next();
      }),
    );

    await site.ask();
    await settled();

    expect(await spent(gate.limiter)).toBe(1);
  });

  it.each<[string, (response: Response) => unknown, (response: Response) => unknown]>([
    ['any of the response', () => undefined, (response) => response.send('too late')],
    [
      'the end of the response',
      (response) => response.set('Content-Length', '9').write('all of it'),
      (response) => response.end(),
    ],
  ])('does not give back what a client took that did not wait for %s', async (_part, begin, end) => {
    const asked: number[] = [];
    const refundWhen = (status: number) => asked.push(status) > 0;
    const gate = rateLimit({ limit: LIMIT, window, refundWhen });
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow: RequestHandler = (_request, response) => {
      begin(response);
      response.once('close', () => {
        end(response);
        finish();
      });
      arrive();
    };
    const site = await open(served(express, gate, slow));

    const request = get(site.address);
    request.on('error', () => undefined);
    await arrived;
    request.destroy();
    await finished;
    await settled();

    expect(asked).toEqual([]);
    expect(await spent(gate.limiter)).toBe(1);
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('that %s changes no response, and leaves the request counted', async (_way, refundWhen) => {
    // It is told of by a warning, once in a process.
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const gate = rateLimit({ limit: LIMIT, window, refundWhen });
    const site = await open(served(express, gate));

    const answer = await site.ask();
    await settled();

    expect(answer).toMatchObject({ status: 200, text: 'served' });
    expect(await spent(gate.limiter)).toBe(1);
    warnings.mockRestore();
  });
});

const statusFromPath: RequestHandler = ({ path }, response) => void response.status(Number(path.slice(1))).end();

/** Units that the clients of these tests have spent of a tier, or of the largest one. */
async function spent(limiter: Limiter<Request>, tier?: string): Promise<number> {
  const inspected = await limiter.inspect({ ip: '127.0.0.1' });
  const { outcome } = inspected.find((each) => each.outcome.tier === tier) ?? inspected[0]!;
  return outcome.limit - outcome.remaining;
}

/** All that has been begun in this process without asking anybody outside has ended. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}
