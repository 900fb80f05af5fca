import { exportUsage, type UsageSink } from '@sluice/quotas';
import { openMeter, stripeMeter, usageTable, type SqlClient } from '@sluice/quotas/billing';
import { Pool } from 'pg';
import { startPostgres, type PostgresServer } from '../postgres/postgres-server.js';
import { billingScene, USERS, type BillingScene } from './billing-scene.js';
import { OpenMeterStandIn } from './open-meter-stand-in.js';
import { StripeStandIn } from './stripe-stand-in.js';

/** Longer than the lock of a process that has died. */
const LOCK_MS = 61_000;

/** Counts what a process does outside, and ends it after one of its steps: no answer reaches it then. */
class Life {
  readonly #dies: number;
  readonly #end = new AbortController();
  #steps = 0;
  readonly death = new Promise<'dead'>((resolve) => {
    this.signal.addEventListener('abort', () => resolve('dead'));
  });

  constructor(dies: number) {
    this.#dies = dies;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  step(): void {
    this.#steps += 1;
    if (this.#steps === this.#dies) this.#end.abort();
  }

  client(pool: Pool): SqlClient {
    return {
      query: async (text, values) => {
        if (this.signal.aborted) return this.#never();
        const answer = await pool.query(text, values);
        this.step();
        return this.signal.aborted ? this.#never() : answer;
      },
    };
  }

  sink(sink: UsageSink): UsageSink {
    return async (rows) => {
      const answer = await sink(rows, { signal: this.signal });
      return this.signal.aborted ? this.#never() : answer;
    };
  }

  #never(): Promise<never> {
    return new Promise(() => undefined);
  }
}

describe('A bill, of exporters that die after each of their requests and queries,', () => {
  let server: PostgresServer;
  let pool: Pool;
  const stripe = new StripeStandIn(() => Date.now());
  const service = new OpenMeterStandIn();

  beforeAll(async () => {
    server = await startPostgres();
    // The server ends the connections when it stops.
    pool = new Pool({ ...server.connection, max: 2 }).on('error', () => undefined);
    stripe.addMeter('requests');
    for (const user of USERS) stripe.customers.add(`cus_${user}`);
    await Promise.all([stripe.start(), service.start()]);
    for (const table of ['of_table', 'of_open_meter']) await usageTable({ client: pool, table }).create();
  });

  afterAll(async () => {
    await pool.end();
    await Promise.all([stripe.stop(), service.stop(), server.stop()]);
  });

  const kinds = {
    stripeMeter: {
      steps: 3,
      sink: () =>
        stripeMeter({ key: stripe.key, url: stripe.url, meter: 'requests', customer: ({ label }) => `cus_${label}` }),
      billed: async (user: string) => stripe.unitsOf(`cus_${user}`, 'requests'),
    },
    usageTable: {
      steps: 1,
      sink: (client: SqlClient) => usageTable({ client, table: 'of_table' }).sink,
      billed: async (user: string) => {
        const [row] = await server.query(`SELECT sum(units)::int AS units FROM of_table WHERE label = '${user}'`);
        return row!['units'];
      },
    },
    openMeter: {
      steps: 6,
      sink: (client: SqlClient) => {
        const table = usageTable({ client, table: 'of_open_meter' });
        return openMeter({ table, type: 'requests', url: service.url, token: service.token });
      },
      billed: async (user: string) => service.unitsOf(user, 'requests'),
    },
  };

  /** True if the exporter has ended before it died. */
  async function runUntilDeath({ store, advance }: BillingScene, dies: number, kind: keyof typeof kinds) {
    const life = new Life(dies);
    const fate = () => {
      life.step();
      return 'works' as const;
    };
    stripe.fate = fate;
    service.fate = fate;
    const dying = exportUsage(store, { sink: life.sink(kinds[kind].sink(life.client(pool))) });
    const end = await Promise.race([dying.run(), life.death]);
    if (end !== 'dead') await dying.close();
    advance(LOCK_MS);
    return end !== 'dead';
  }

  it.each(Object.keys(kinds) as (keyof typeof kinds)[])('has each unit once, by %s', async (name) => {
    const { sink, billed, steps } = kinds[name];
    const scene = billingScene(sink(pool));
    const { limiter, running, hour, now } = scene;
    stripe.clock = now;
    const units = new Map(USERS.map((user) => [user, 0]));
    const wrong: string[] = [];
    let dies = 0;
    let isDone = false;

    while (!isDone && wrong.length === 0) {
      dies += 1;
      const decisions = await Promise.all(USERS.map((user) => limiter.consume(user, { cost: 5 })));
      hour();
      isDone = await runUntilDeath(scene, dies, name);
      await limiter.settle(decisions[0]!, 2);
      for (const [index, user] of USERS.entries()) units.set(user, units.get(user)! + (index === 0 ? 2 : 5));
      const { problem } = await running.run();
      for (const user of USERS) {
        if ((await billed(user)) !== units.get(user)) wrong.push(`${user}, after a death at step ${dies}`);
      }
      if (problem !== undefined) wrong.push(problem);
    }

    expect(wrong).toEqual([]);
    expect(dies).toBeGreaterThan(steps);
    await running.close();
  });
});
