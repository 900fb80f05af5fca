import { configError } from '../../../../test/support/config-error.js';
import { exchange } from '../../../../test/support/exchange.js';
import { ManualLoop } from '../../../../test/support/manual-loop.js';
import { subscribe } from '../../../core/src/events/events.js';
import { SHED, type ShedVisit } from '../../../http/src/gate/shedding.js';
import type { HttpRequest } from '../../../http/src/request/request.js';
import { LoadShedder } from '../shed/load-shedder.js';
import { readShedderOptions } from '../shed/shedder-options.js';
import type { ShedderFeature } from '../shed/shedder-feature.js';
import { deadline } from './deadline.js';
import { deadlineOf } from './deadline-of.js';
import { onward } from './onward.js';
import { isOverloadError, OverloadError } from './overload-error.js';
import { queueDelay } from './queue-delay.js';
import { type QueueEvent, queueEvent, type QueueRefusalEvent, queueRefusalEvent } from './queue-events.js';
import type { QueueDelay, QueueOptions } from './queue-options.js';

/** A queue with a clock of its own, and a pool whose connections a test gives back. */
function scarce(options: QueueOptions = {}) {
  const loop = new ManualLoop();
  const queue = queueDelay('database', { max: 1, target: '100ms', ...options }, loop);
  const asked: string[] = [];
  const back: (() => void)[] = [];
  const acquire = (name: string) => () => {
    asked.push(name);
    return new Promise<string>((resolve) => back.push(() => resolve(name)));
  };
  const wait = (name: string, given?: Parameters<QueueDelay['wait']>[1]) => queue.wait(acquire(name), given);
  /** The pool gives the next acquisition what it wants. */
  const give = async () => {
    back.shift()!();
    await settled();
  };
  return { queue, loop, asked, wait, give };
}

const settled = () => new Promise((resolve) => void setImmediate(resolve));

/** What became of a promise until now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise.catch((error: unknown) => error), settled().then(() => 'waits')]);
}

interface Request extends HttpRequest {
  readonly is?: 'critical' | 'normal' | 'sheddable';
}

/** A request whose handler runs behind a gate with the queue. */
async function handled<T>(
  queue: QueueDelay,
  request: Request,
  handler: (visit: ShedVisit<Request>) => Promise<T>,
  features: readonly ShedderFeature[] = [],
  key?: () => Promise<string>,
): Promise<T> {
  const { response } = exchange();
  const settings = {
    priority: ({ is = 'normal' }: Request) => is,
    features: [queue, ...features],
    ...(key && { key }),
  };
  const shed = new LoadShedder(readShedderOptions<Request>(settings), new ManualLoop());
  const visit = { request, response, captureAddress: () => {} } as unknown as ShedVisit<Request>;
  // Each request has a context of its own.
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      expect(shed[SHED](visit)).toBeUndefined();
      handler(visit).then(resolve, reject);
    });
  });
}

/** Raises the level: nobody gets what he waits for. */
function standStill({ loop }: { readonly loop: ManualLoop }, milliseconds: number): void {
  loop.tick(0, milliseconds / 10);
}

describe('queueDelay', () => {
  afterEach(() => jest.restoreAllMocks());

  it('asks the pool at once while it has room, and measures nothing', async () => {
    const { queue, loop, asked, wait, give } = scarce({ max: 2 });

    const acquired = [wait('one'), wait('two')];
    await give();
    await give();

    expect(asked).toEqual(['one', 'two']);
    expect(await Promise.all(acquired)).toEqual(['one', 'two']);
    expect([queue.level, queue.standing, queue.waiting, loop.uses]).toEqual([0, 0, 0, 0]);
  });

  it('lets acquisitions in one after the other, critical ones first and the others as they came', async () => {
    const { asked, wait, give, queue } = scarce();

    const acquired = (['normal', 'sheddable', 'normal', 'critical'] as const).map((priority, index) =>
      wait(`${index} ${priority}`, { priority }),
    );
    expect(queue.waiting).toBe(3);
    for (let turn = 0; turn < 4; turn += 1) await give();
    await Promise.all(acquired);

    expect(asked).toEqual(['0 normal', '3 critical', '1 sheddable', '2 normal']);
    expect(queue.waiting).toBe(0);
  });

  it('has what a pool calls back at once stand in the line, also while `wait` asks that pool', async () => {
    const { queue } = scarce({ max: 1 });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    // Such as undici, whose handlers are called before `dispatch` returns.
    const pool = queue.watch({
      compose() {},
      dispatch(name: string, handler: { onConnect?(): void; onComplete?(): void }) {
        begun.push(name);
        ends.push(() => handler.onComplete?.());
        handler.onConnect?.();
        return true;
      },
    });
    const ask = (name: string, onConnect = () => {}) =>
      new Promise<void>((resolve) => void pool.dispatch(name, { onConnect, onComplete: () => resolve() }));

    const first = ask('first', () => void ask('second'));
    const afterFirst = [...begun];
    ends.shift()!();
    await first;
    const afterEnd = [...begun];
    ends.shift()!();
    const third = queue.wait(() => ask('third', () => void ask('fourth')));
    const afterThird = [...begun];
    ends.shift()!();
    await third;

    expect(afterFirst).toEqual(['first']);
    expect(afterEnd).toEqual(['first', 'second']);
    expect(afterThird).toEqual(['first', 'second', 'third']);
    expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('lets normal acquisitions overtake sheddable ones as soon as they have waited for half of the target', async () => {
    const { asked, wait, give, loop } = scarce({ target: '100ms' });

    const acquired = [wait('first'), wait('sheddable', { priority: 'sheddable' }), wait('normal')];
    loop.tick(0, 6);
    for (let turn = 0; turn < 3; turn += 1) await give();
    await Promise.all(acquired);

    expect(asked).toEqual(['first', 'normal', 'sheddable']);
  });

  it('passes on what the pool throws, and lets the next acquisition in', async () => {
    const { wait, queue, give } = scarce();

    const failed = queue.wait(() => {
      throw new Error('no such host');
    });
    const rejected = queue.wait(async () => Promise.reject(new Error('gone')));
    const last = wait('last');

    await expect(failed).rejects.toThrow('no such host');
    await expect(rejected).rejects.toThrow('gone');
    await give();
    expect(await last).toBe('last');
  });

  it('refuses what is not critical, once the pool has not moved for the target and 300 ms', async () => {
    const made = scarce();
    const held = made.wait('held');
    const [normal, sheddable, critical] = (['normal', 'sheddable', 'critical'] as const).map((priority) =>
      made.wait(priority, { priority }),
    );
    standStill(made, 390);
    const before = await Promise.all([normal!, sheddable!, critical!].map(stateOf));
    standStill(made, 20);

    expect(before).toEqual(['waits', 'waits', 'waits']);
    expect((await Promise.all([normal!, sheddable!, critical!].map(stateOf))).map(isOverloadError)).toEqual([
      true,
      true,
      false,
    ]);
    await made.give();
    await made.give();
    expect(await Promise.all([held, critical])).toEqual(['held', 'critical']);
  });

  it('refuses at the door while it is overloaded: sheddable acquisitions first, and critical ones never', async () => {
    // Work without a request is of any cohort: here of the last that is refused, and then of the first.
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.99);
    const made = scarce();
    void made.wait('held');
    // Only sheddable acquisitions wait, so that only they are refused.
    for (let slice = 0; slice < 30; slice += 1) {
      void made.wait('sheddable', { priority: 'sheddable' }).catch(() => {});
      standStill(made, 100);
    }
    random.mockReturnValue(0);
    expect(made.queue.level).toBeGreaterThan(50);
    expect(made.queue.level).toBeLessThanOrEqual(100);

    const states = await Promise.all(
      (['sheddable', 'normal', 'critical'] as const).map((priority) => stateOf(made.wait('new', { priority }))),
    );

    expect(states).toEqual([expect.any(OverloadError), 'waits', 'waits']);
  });

  it('is calm half a second after its pool has room again', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.99);
    const made = scarce();
    void made.wait('held');
    for (let slice = 0; slice < 30; slice += 1) {
      void made.wait('normal').catch(() => {});
      standStill(made, 100);
    }
    expect(made.queue.level).toBeGreaterThan(190);

    await made.give();
    while (made.queue.waiting > 0) await made.give();
    await made.give();
    standStill(made, 500);

    expect([made.queue.level, made.queue.standing]).toEqual([0, 0]);
    expect(made.loop.mayEnd).toEqual([true]);
  });

  it('answers with an error that frameworks send as 503 with Retry-After, and that names the queue', async () => {
    const error = new OverloadError('database');

    expect(error).toMatchObject({
      message: 'The queue "database" is overloaded',
      code: 'SLUICE_OVERLOADED',
      queue: 'database',
      status: 503,
      statusCode: 503,
      headers: { 'Retry-After': expect.stringMatching(/^[1-5]$/) },
    });
    const response = error.getResponse();
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
      503,
      error.headers['Retry-After'],
      'Service Unavailable',
    ]);
  });

  it('publishes what it refuses and what it measures, with its name', async () => {
    const made = scarce();
    const events: (QueueRefusalEvent | QueueEvent)[] = [];
    const stops = [
      subscribe(queueRefusalEvent, (event) => void events.push(event)),
      subscribe(queueEvent, (event) => void events.push(event)),
    ];
    void made.wait('held');
    void made.wait('late').catch(() => {});
    standStill(made, 410);
    for (const stop of stops) stop();

    const measured = { level: 0, queue: 'database', waiting: 1 };
    expect(events).toEqual([
      { ...measured, standing: 0 },
      { ...measured, standing: 100 },
      { ...measured, standing: 200 },
      { priority: 'normal', level: 0, standing: 200, shadow: false, queue: 'database' },
      { ...measured, standing: 300, waiting: 0 },
    ]);
  });

  it('refuses nothing in shadow, and says what it would refuse', async () => {
    const made = scarce({ mode: 'shadow' });
    const refused: QueueRefusalEvent[] = [];
    const stop = subscribe(queueRefusalEvent, (event) => void refused.push(event));
    void made.wait('held');
    for (let slice = 0; slice < 30; slice += 1) {
      void made.wait('normal');
      standStill(made, 100);
    }
    const state = await stateOf(made.wait('new'));
    stop();

    expect(state).toBe('waits');
    expect(refused.at(-1)).toMatchObject({ priority: 'normal', shadow: true, queue: 'database' });
  });

  it('does nothing with the mode off', async () => {
    const { asked, wait, queue } = scarce({ mode: 'off' });

    void [wait('one'), wait('two'), wait('three')];

    expect([asked, queue.waiting]).toEqual([['one', 'two', 'three'], 0]);
  });

  it('leaves when its signal aborts, with the reason of the signal, and the pool is never asked', async () => {
    const { wait, asked, give, queue } = scarce();
    const leaving = new AbortController();
    const held = wait('held');
    const left = wait('left', { signal: leaving.signal });
    const early = wait('early', { signal: AbortSignal.abort(new Error('too late')) });

    leaving.abort(new Error('nobody waits'));

    await expect(left).rejects.toThrow('nobody waits');
    await expect(early).rejects.toThrow('too late');
    await give();
    await held;
    expect([asked, queue.waiting]).toEqual([['held'], 0]);
  });

  describe('behind a gate', () => {
    it('knows the priority of the request whose handler acquires', async () => {
      const { queue, wait, asked, give } = scarce();
      const held = wait('held');

      const acquired = (['sheddable', 'normal', 'critical'] as const).map((is) =>
        handled(queue, { is }, async () => {
          await settled();
          return wait(is);
        }),
      );
      await settled();
      await settled();
      await settled();
      for (let turn = 0; turn < 4; turn += 1) await give();
      await Promise.all([held, ...acquired]);

      expect(asked[1]).toBe('critical');
    });

    it('finds a request that is given, where no context leads to it', async () => {
      const { queue, wait, asked, give } = scarce();
      const request: Request = { is: 'critical' };
      await handled(queue, request, async () => {});

      const acquired = [wait('held'), wait('normal'), wait('given', { request })];
      for (let turn = 0; turn < 3; turn += 1) await give();
      await Promise.all(acquired);

      expect(asked).toEqual(['held', 'given', 'normal']);
    });

    it('lets a request go on that it has served: half of its work is worth nothing', async () => {
      const made = scarce();
      const second = handled(made.queue, {}, async () => {
        const first = made.wait('first');
        await made.give();
        await first;
        void made.wait('held');
        return made.wait('second');
      });
      await settled();
      await settled();
      standStill(made, 1_000);

      expect(await stateOf(second)).toBe('waits');
      await made.give();
      await made.give();
      expect(await second).toBe('second');
    });

    it('takes the connection of no request whose client has left', async () => {
      const { queue, wait, asked, give } = scarce();
      const held = wait('held');
      const left = handled(queue, {}, async ({ response }) => {
        const acquired = wait('left');
        (response as unknown as { emit(event: string): void }).emit('close');
        return acquired;
      });

      await expect(left).rejects.toMatchObject({ name: 'AbortError' });
      await give();
      await held;
      expect(asked).toEqual(['held']);
    });

    it('takes the connection of no request whose deadline is over', async () => {
      const { queue, wait, asked } = scarce();
      void wait('held');

      const late = handled(queue, {}, async () => wait('late'), [deadline('20ms')]);

      await expect(late).rejects.toMatchObject({
        name: 'TimeoutError',
        message: 'The deadline of the request is over',
      });
      expect(asked).toEqual(['held']);
    });

    it('gives a signal of the deadline that is made once, and one that never aborts without a gate', async () => {
      const { queue } = scarce();
      const signals = await handled(queue, {}, async ({ request }) => [deadlineOf(), deadlineOf(request)]);

      expect(signals[0]).toBe(signals[1]);
      expect(deadlineOf({}).aborted).toBe(false);
    });

    it('leaves when its signal aborts while an asynchronous key says whose cohort it has', async () => {
      const made = scarce();
      jest.spyOn(Math, 'random').mockReturnValue(0.99);
      void made.wait('held');
      for (let slice = 0; slice < 7; slice += 1) {
        void made.wait('sheddable', { priority: 'sheddable' }).catch(() => {});
        standStill(made, 100);
      }
      const leave = (client: number) => {
        const leaving = new AbortController();
        const handler = async () => {
          const acquired = made.wait('left', { signal: leaving.signal });
          leaving.abort(new Error('nobody waits'));
          return acquired;
        };
        return handled(made.queue, { is: 'sheddable' }, handler, [], async () => `client ${client}`);
      };
      // Some of them have a cohort that is let into the line.
      const left = Array.from({ length: 40 }, (_, client) => leave(client).catch((error: unknown) => error));
      for (let turn = 0; turn < 5; turn += 1) await settled();

      expect(made.queue.level).toBeGreaterThan(0);
      expect(made.queue.level).toBeLessThan(100);
      expect(await Promise.all(left.map(stateOf))).not.toContain('waits');
    });

    it('keeps the priority for other services in a header', async () => {
      const { queue } = scarce();

      expect(await handled(queue, { is: 'sheddable' }, async () => onward())).toEqual({ 'x-priority': 'sheddable' });
      expect(onward()).toEqual({});
    });
  });

  it.each([
    ['name', '', undefined],
    ['name', 'my database', undefined],
    ['target', 'database', { target: '1ms' as const }],
    ['max', 'database', { max: 0 }],
    ['mode', 'database', { mode: 'on' as never }],
  ])('names the option %s that is wrong', (option, name, options) => {
    expect(() => queueDelay(name, options)).toThrow(configError('OPTION_INVALID', option, `queueDelay: ${option}`));
  });

  it('says what can be watched', () => {
    expect(() => queueDelay('database').watch({})).toThrow(
      configError('OPTION_INVALID', 'watch', 'write queue.wait(() => pool.acquire())'),
    );
  });
});
