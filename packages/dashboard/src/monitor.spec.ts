import * as fc from 'fast-check';

import { createGate, createLimiter, memoryStore, type HttpRequest, type Store } from '@sluice/http';
import { exchange } from '../../../test/support/exchange.js';
import { overloadedShedder } from '../../../test/support/manual-loop.js';
import { Monitor } from './monitor.js';

type Request = HttpRequest & { readonly isUrgent?: boolean };

const SECOND = 1_000;

/** A monitor on a clock that a test sets, and a gate whose shedder refuses all requests that are not urgent. */
function scene(store: Store = memoryStore()) {
  let now = 0;
  const monitor = new Monitor(
    store,
    () => now,
    () => undefined,
  );
  monitors.push(monitor);
  const limiter = createLimiter<Request>({ store, name: 'minute', key: () => 'ada', limit: 3, window: '1m' });
  const priority = ({ isUrgent = false }: Request) => (isUrgent ? ('critical' as const) : ('normal' as const));
  const gates = (['enforce', 'shadow'] as const).map((mode) =>
    createGate<Request>({ limiter, shed: overloadedShedder<Request>({ priority, mode }) }),
  );
  const send = async (request: Request, times: number, gate = gates[0]!) => {
    for (let sent = 0; sent < times; sent += 1) await gate.admit({ ...request }, exchange().response);
  };
  return { monitor, send, shadow: gates[1]!, at: (time: number) => (now = time) };
}

const monitors: Monitor[] = [];
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

describe('Monitor', () => {
  afterEach(() => {
    for (const monitor of monitors.splice(0)) monitor.stop();
  });

  it('counts requests that a shedder has refused beside the decisions, in totals and in the chart', async () => {
    const { monitor, send, at } = scene();

    await send({ isUrgent: true }, 4);
    await send({}, 5);
    at(SECOND);
    await send({}, 2);
    at(2 * SECOND);

    const { decisions, recent, processes } = monitor.snapshot();
    expect(decisions).toEqual({ ok: 3, denied: 1, never: 0, unavailable: 0, shed: 7 });
    expect(recent.shed.slice(-2)).toEqual([5, 2]);
    expect(processes[0]!.decisions.shed).toBe(7);
  });

  it('marks the seconds of an outage in the chart, also those of another process, and keeps them after it', () => {
    const { monitor, at } = scene();
    const other = JSON.parse(scene().monitor.summary()) as Record<string, unknown>;
    const say = (uptime: number, isDegraded: boolean) =>
      monitor.addSummary(JSON.stringify({ ...other, uptime, isDegraded }));
    const seconds = () => monitor.state({ role: 'read', readOnly: true, canOverride: false }).seconds.outage.slice(-6);

    at(2 * SECOND);
    say(1, false);
    monitor.snapshot();
    at(3 * SECOND);
    say(2, true);
    monitor.snapshot();
    at(5 * SECOND);
    say(3, false);
    monitor.snapshot();
    at(8 * SECOND);

    expect(seconds()).toEqual([0, 1, 1, 0, 0, 0]);
    expect(monitor.snapshot().recent.outage.slice(-6)).toEqual([0, 1, 1, 0, 0, 0]);
  });

  it('takes in any text that another process has written, and warns of one that is no summary once', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { monitor } = scene();
    const other = JSON.parse(scene().monitor.summary()) as Record<string, unknown>;
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(fc.constantFrom(...Object.keys(other)), fc.jsonValue()).map(([name, value]) => {
        return JSON.stringify({ ...other, [name]: value });
      }),
    );

    fc.assert(
      fc.property(text, (each) => {
        monitor.addSummary(each);
        const { decisions, recent } = monitor.snapshot();
        expect(Object.values(decisions).every(Number.isFinite)).toBe(true);
        expect(recent.ok.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 1_000 },
    );

    const codes = warned.mock.calls.map(([, each]) => (each as { code: string }).code);
    warned.mockRestore();
    expect(codes).toEqual(['SLUICE_DASHBOARD_SUMMARY']);
  });

  it('counts no request that a shedder in shadow has let through', async () => {
    const { monitor, send, shadow } = scene();

    await send({}, 2, shadow);

    expect(monitor.snapshot().decisions).toEqual({ ok: 2, denied: 0, never: 0, unavailable: 0, shed: 0 });
  });

  it('misses no decision in its tail because of refused requests, which have none', async () => {
    const { monitor, send } = scene();
    monitor.watch(true);

    await send({ isUrgent: true }, 1);
    await send({}, 5);

    expect(monitor.tail()).toMatchObject({ entries: [{ reason: 'ok' }], dropped: 0 });
  });

  it('adds the refused requests of the other processes of a fleet', async () => {
    const other = scene();
    other.monitor.stop();
    const own = scene();
    const told = scene();
    own.monitor.stop();
    own.monitor.addSummary(told.monitor.summary());

    await told.send({}, 4);
    told.at(2 * SECOND);
    own.at(2 * SECOND);
    own.monitor.addSummary(told.monitor.summary());

    expect(own.monitor.snapshot().decisions.shed).toBe(4);
    expect(sum(own.monitor.snapshot().recent.shed)).toBe(2);
  });
});
