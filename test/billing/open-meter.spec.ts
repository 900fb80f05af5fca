import { openMeter, type OpenMeterOptions, type UsageTable } from '@sluice/quotas/billing';
import { type BillingScene, billingScene, START, useAndExport, USERS } from './billing-scene.js';
import { BillingTables } from './billing-tables.js';
import { OpenMeterStandIn } from './open-meter-stand-in.js';
import type { Fate } from './stand-in.js';

describe('openMeter, behind a table of a real Postgres', () => {
  const tables = new BillingTables();
  let service: OpenMeterStandIn;
  let table: UsageTable;
  const scenes: BillingScene[] = [];

  beforeEach(async () => {
    service = new OpenMeterStandIn();
    await service.start();
    ({ table } = await tables.create());
  });

  afterEach(async () => {
    for (const { running } of scenes.splice(0)) await running.close();
    await service.stop();
  });

  function scene(options: Partial<OpenMeterOptions> = {}, label?: () => undefined) {
    const { url, token } = service;
    const made = billingScene(openMeter({ table, type: 'requests', url, token, ...options }), label);
    scenes.push(made);
    return made;
  }

  it('sends an hour as an event, and each later change as another one', async () => {
    const { limiter, running, hour } = scene();
    const decision = await limiter.consume('ada', { cost: 10 });
    await limiter.consume('ada', { cost: 5 });
    hour();
    await running.run();
    await limiter.settle(decision, 4);

    const status = await running.run();

    const event = { specversion: '1.0', source: 'sluice', type: 'requests', subject: 'ada' };
    const time = new Date(START + 3_599_000).toISOString();
    expect(service.events).toEqual([
      { ...event, id: expect.stringMatching(/^[\w-]{22}\.1$/), time, data: { units: 15, tier: 'day' } },
      { ...event, id: expect.stringMatching(/^[\w-]{22}\.2$/), time, data: { units: -6, tier: 'day' } },
    ]);
    expect(status).toMatchObject({ rows: 2, problem: undefined });
    expect(await table.changesOf([])).toEqual([]);
  });

  it('counts each unit once when half of the requests fail, before or after they were stored', async () => {
    const made = scene();
    const fates: readonly Fate[] = ['fails', 'works', 'cut', 'works', 'busy', 'works'];
    service.fate = (request) => fates[request % fates.length]!;
    const units = await useAndExport(made, 200);
    for (let run = 0; run < 6; run += 1) await made.running.run();

    expect(made.running.status().problem).toBeUndefined();
    expect(new Map(USERS.map((user) => [user, service.unitsOf(user, 'requests')]))).toEqual(units);
  });

  it('sends an event whose reply was lost again before the hour changes further, under the same id', async () => {
    const { limiter, running, hour } = scene();
    const decision = await limiter.consume('ada', { cost: 10 });
    hour();
    service.fate = () => 'cut';
    const cut = await running.run();
    await limiter.settle(decision, 4);
    service.fate = () => 'works';

    await running.run();

    expect(cut.problem).toMatch(/^the sink has kept a row of ada: OpenMeter cannot be reached: /);
    expect(service.events.map(({ data }) => data.units)).toEqual([10, -6]);
  });

  it('sends what a process has stored that died before it was sent', async () => {
    const { limiter, running, hour } = scene();
    await limiter.consume('ada', { cost: 10 });
    const dying = billingScene(async (rows, context) => {
      await table.sink(rows, context);
      await table.changesOf(rows);
    });
    await dying.limiter.consume('bob', { cost: 3 });
    dying.hour();
    await dying.running.run();
    await dying.running.close();
    hour();

    await running.run();

    expect(USERS.map((user) => service.unitsOf(user, 'requests'))).toEqual([10, 3, 0]);
  });

  it('keeps usage without a subject until it has one, and leaves out what has no type', async () => {
    const subjects = new Map([['ada', 'ada']]);
    const { limiter, running, hour } = scene({
      subject: ({ label }) => subjects.get(label!),
      type: ({ label }) => (label === 'eve' ? undefined : 'requests'),
    });
    for (const user of USERS) await limiter.consume(user, { cost: 3 });
    hour();

    const early = await running.run();
    subjects.set('bob', 'number 7');
    const late = await running.run();

    expect(early).toMatchObject({
      rows: 2,
      problem: 'the sink has kept a row of bob: no subject of OpenMeter is known for it yet',
    });
    expect(late).toMatchObject({ rows: 3, problem: undefined });
    expect(['ada', 'number 7', 'eve'].map((user) => service.unitsOf(user, 'requests'))).toEqual([3, 3, 0]);
  });

  it('shows the reason of a refusal, without the token', async () => {
    const { limiter, running, hour } = scene({ token: 'om_secret' });
    await limiter.consume('ada');
    hour();

    const { problem } = await running.run();

    expect(problem).toBe('the sink has kept a row of ada: OpenMeter answers 401: Unknown token Bearer (the key)');
  });
});
