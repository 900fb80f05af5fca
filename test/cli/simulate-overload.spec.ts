import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subscribe } from '@sluice/core';
import { loadEvent, shedEvent } from '@sluice/overload';
import { fairReportOf } from '../../packages/cli/src/simulate/fair/fair-report.js';
import { fairLead } from '../../packages/cli/src/simulate/fair/print-fair.js';
import { fairSetupOf } from '../../packages/cli/src/simulate/fair/fair-setup.js';
import { shedReportOf } from '../../packages/cli/src/simulate/shed/shed-report.js';
import { shedSetupOf } from '../../packages/cli/src/simulate/shed/shed-setup.js';
import { documentOf, sluice } from './sluice.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-overload-'));

afterAll(() => rmSync(folder, { recursive: true }));

const SHED = ['--shed', '200/s', '--load', 'times:0.5/2s', '--load', 'times:5/4s', '--load', 'times:0.5/4s'];
const FAIR = ['--fair', '20 wait=1m', '--load', 'flood:40', '--load', 'b:12', '--load', 'quiet:1/300ms', '--for', '2s'];

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('sluice simulate --shed', () => {
  it('counts what the shedder of the library publishes, in phases and in the picture', async () => {
    const published = { critical: 0, normal: 0, sheddable: 0 };
    const levels: number[] = [];
    const ends = [
      subscribe(shedEvent, ({ priority }) => (published[priority] += 1)),
      subscribe(loadEvent, ({ level }) => levels.push(level)),
    ];
    const setup = shedSetupOf('200/s', ['times:0.5/2s', 'times:5/4s', 'times:0.5/4s'], 1);
    const { phases, timeline, levels: drawn } = await shedReportOf(setup, '');
    for (const end of ends) end();

    const refused = (of: 'normal' | 'sheddable' | 'critical') => sum(phases.map((phase) => phase.refused[of]));
    const [normal, sheddable] = [refused('normal'), refused('sheddable')];
    expect({ critical: refused('critical'), normal, sheddable }).toEqual(published);
    expect([sum(timeline.normal.refused), sum(timeline.sheddable.refused)]).toEqual([normal, sheddable]);
    expect([sheddable > 1_000, normal > 10]).toEqual([true, true]);
    expect(Math.max(...drawn)).toBe(Math.max(...levels));
    expect(Math.max(...phases.map(({ level }) => level))).toBe(Math.max(...levels));
  });

  it('keeps the connections of a pool at work for those that go first, and hardly any request in time without', async () => {
    const setup = shedSetupOf(
      '200/s pool=10 critical=20% normal=40%',
      ['times:0.9/3s', 'times:5/4s', 'times:0.5/3s'],
      3,
    );
    const { phases, without, calmAfter } = await shedReportOf(setup, '');

    const [rest, rush] = phases;
    expect(rest!.served).toEqual(rest!.came);
    expect(rush!.served.critical / rush!.came.critical).toBeGreaterThan(0.99);
    expect(sum(Object.values(rush!.served)) / (200 * 4)).toBeGreaterThan(0.95);
    expect(sum(Object.values(without[1]!.served)) / (200 * 4)).toBeLessThan(0.5);
    expect(calmAfter).toBeLessThan(1_000);
  });

  it('has each request in one phase and one bin, of which no more are served than came', async () => {
    const { phases, timeline, requests } = await shedReportOf(
      shedSetupOf('100/s', ['times:3/5s', 'times:0.5/5s'], 2),
      '',
    );

    const kinds = ['critical', 'normal', 'sheddable'] as const;
    for (const kind of kinds) {
      for (const what of ['came', 'served', 'refused'] as const) {
        expect(sum(timeline[kind][what])).toBe(sum(phases.map((phase) => phase[what][kind])));
      }
      for (const { came, served, refused } of phases) {
        expect(served[kind] + refused[kind]).toBeLessThanOrEqual(came[kind]);
      }
    }
    expect(requests).toBe(sum(kinds.map((kind) => sum(timeline[kind].came))));
  });

  it('serves critical requests with a shedder, and hardly any without, in the same run for a seed', async () => {
    const [one, same] = [await sluice(['simulate', '--json', ...SHED]), await sluice(['simulate', '--json', ...SHED])];
    const { phases, without } = documentOf(one) as unknown as Awaited<ReturnType<typeof shedReportOf>>;

    expect(same.stdout).toBe(one.stdout);
    expect(phases[1]!.served.critical).toBe(phases[1]!.came.critical);
    expect(without[1]!.served.critical).toBeLessThan(phases[1]!.came.critical / 2);
    expect(without.map(({ came }) => came)).toEqual(phases.map(({ came }) => came));
  });
});

describe('sluice simulate --fair', () => {
  it('counts what the limiter of the library decides', async () => {
    let allowed = 0;
    const end = subscribe('sluice:decision', ({ decision }) => (allowed += decision.allowed ? 1 : 0));
    const setup = fairSetupOf('20 wait=1m', ['flood:40', 'b:8', 'quiet:1/300ms'], { duration: 2_000, seed: 1 });
    const { fair, byArrival, width } = await fairReportOf(setup, '');
    end();

    const tenants = [...fair.tenants, ...byArrival.tenants];
    expect(sum(tenants.map(({ ran }) => ran))).toBe(allowed);
    // The picture holds the work that is counted.
    for (const { tenants: its, idle } of [fair, byArrival]) {
      const worked = sum(its.map(({ inFlight }) => sum(inFlight))) * width;
      expect(worked / (20 * 2_000)).toBeCloseTo(1 - idle, 3);
    }
    for (const bin of fair.tenants[0]!.inFlight.keys()) {
      expect(sum(fair.tenants.map(({ inFlight }) => inFlight[bin]!))).toBeLessThan(20.1);
    }
  });

  it('shows shares of equal size, a quiet tenant that waits less than a work, and no idle units', async () => {
    const { fair, byArrival } = documentOf(await sluice(['simulate', '--json', ...FAIR])) as unknown as Awaited<
      ReturnType<typeof fairReportOf>
    >;
    const quiet = fair.tenants.at(-1)!;

    expect(fair.index).toBeGreaterThan(0.95);
    expect(byArrival.index).toBeLessThan(0.8);
    expect([quiet.longestWait < 60, fair.idle < 0.02]).toEqual([true, true]);
    expect(byArrival.tenants.at(-1)!.longestWait).toBeGreaterThan(quiet.longestWait);
  });

  it('runs the limit that is written: without `wait` no request waits, and the others are denied', async () => {
    const loads = ['flood:40', 'b:12'];
    const run = (text: string) =>
      fairReportOf(fairSetupOf(text, loads, { duration: 2_000, seed: 1 }), loads.join(' + '));
    const [written, usual] = [await run('20 wait=0ms'), await run('20')];

    expect({ ...usual, tier: written.tier }).toEqual(written);
    expect(usual.fair.tenants.map(({ denied, longestWait }) => [denied > 0, longestWait])).toEqual([
      [true, 0],
      [true, 0],
    ]);
    expect(fairLead(written)).toBe('20 may run, wait 0ms, each for 50 ms, in 2.0 s: flood:40 + b:12, seed 1');
  });

  it('denies what waits for too long, and sends it again', async () => {
    const setup = fairSetupOf('2 wait=100ms work=200ms', ['a:3', 'b:3'], { duration: 5_000, seed: 1 });
    const { fair } = await fairReportOf(setup, '');

    expect(fair.tenants.map(({ denied, ran }) => [denied > 5, ran > 10])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(Math.max(...fair.tenants.map(({ longestWait }) => longestWait))).toBeLessThanOrEqual(101);
  });

  it('leaves the time of the process as it was', async () => {
    const namesOf = () => [setTimeout, setImmediate, Math.random].map(({ name }) => name);
    const before = [...namesOf(), Object.getOwnPropertyNames(performance)];
    await fairReportOf(fairSetupOf('1', ['a:1', 'b:1'], { duration: 100, seed: 1 }), '');

    expect([...namesOf(), Object.getOwnPropertyNames(performance)]).toEqual(before);
  });
});

describe('sluice simulate', () => {
  it.each([
    ['a shedder', SHED],
    ['fair shares', FAIR],
  ])('draws %s, and a page without scripts', async (name, args) => {
    const [svg, html] = ['svg', 'html'].map((end) => join(folder, `${name}.${end}`)) as [string, string];
    const { code, stderr } = await sluice(['simulate', ...args, '--svg', svg, '--html', html]);
    const [picture, page] = [readFileSync(svg, 'utf8'), readFileSync(html, 'utf8')];

    expect({ code, stderr }).toEqual({ code: 0, stderr: `wrote ${svg}\nwrote ${html}\n` });
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]+<\/svg>\n$/);
    expect(page).toContain(`default-src 'none'`);
    expect(picture + page).not.toMatch(/<script|NaN|undefined|Infinity/);
  });

  const load = ['--load', 'times:5/10s'];
  const tenants = ['--load', 'a:1', '--load', 'b:1'];
  it.each([
    [load, 'write one of --limits 300/1m, --shed 200/s and --fair 20'],
    [['--shed', '200/s', '--fair', '20', ...load], 'write one of --limits 300/1m, --shed 200/s and --fair 20'],
    [['--shed', '200/s', '--against', '1/1m', ...load], '--against: compares --limits only'],
    [['--shed', '200/s', '--for', '1m', ...load], '--for: with --shed the phases say it: --load times:5/10s'],
    [['--shed', 'much', ...load], '--shed: "much" is no part of a setup: write the requests that a process can serve'],
    [['--shed', 'target=50ms', ...load], '--shed target=50ms: the capacity is missing'],
    [['--shed', '200/s critical=3', ...load], 'critical must be a part of the capacity, such as critical=30%, got 3'],
    [['--shed', '200/s critical=80%', ...load], 'must take at most 100% of the capacity together'],
    [
      ['--shed', '200/s pool=0', ...load],
      '--shed: pool must be the connections of a pool, from 1 to 10000, such as pool=10',
    ],
    [['--shed', '200/s database=long', ...load], '--shed: database: write a duration such as 500ms, 5s or 2m'],
    [['--shed', '200/s accepts=some', ...load], '--shed: accepts must be one or all, such as accepts=one, got some'],
    [['--shed', '200/s connections=old', ...load], 'connections must be new or kept, such as connections=new, got old'],
    [['--shed', '200/s target=1ms', ...load], 'target must be a duration from 5 ms to 10 s'],
    [['--shed', '200/s tagret=50ms', ...load], 'tagret'],
    [['--shed', '200/s', '--load', 'steady:5/s'], '--load steady:5/s: with --shed write times:5/10s'],
    [['--shed', '200/s', '--load', 'clients:5'], '--load: with --shed write phases'],
    [['--shed', '90000/s', '--load', 'times:9/1h'], 'requests are too many; at most 1000000: shorten a phase'],
    [['--fair', 'many', ...tenants], '--fair: "many" is no part of a setup: write the units that may run'],
    [['--fair', 'work=5ms', ...tenants], '--fair work=5ms: the limit is missing'],
    [['--fair', '20 work=5', ...tenants], '--fair: work: write a duration such as 50ms, got 5'],
    [['--fair', '2000', ...tenants], 'limit must be'],
    [
      ['--fair', '20', '--load', 'steady:9/s'],
      '--load steady:9/s: with --fair write a tenant and its requests at a time',
    ],
    [['--fair', '20', '--load', 'a:1', '--load', 'a:2'], '--load: two tenants have one name'],
    [['--fair', '20', '--load', 'a:1'], '--load: with --fair write 2 to 12 tenants'],
    [['--fair', '20', '--load', 'a:9999', '--load', 'b:9'], '10008 requests at a time are too many; at most 10000'],
    [['--fair', '20', ...tenants, '--for', '1h'], '--for: more than 500000 requests would run: shorten it'],
  ])('says what is wrong with %j, and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await sluice(['simulate', ...args]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
