import { createServer } from 'node:http';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createDashboard, type DashboardOptions } from '@sluice/dashboard';
import { openPolicies, operatorPolicies, redisPolicies, type Policies } from '@sluice/policies';
import { quotas } from '@sluice/quotas';
import { redisStore, type RedisStore } from '@sluice/redis';
import { withLimitsFile } from '../policies/with-limits-file.js';
import { patient } from '../support/patient.js';
import { closeServer, listen } from '../support/site.js';

interface Subject {
  readonly tenant: string;
}

const LIMITS = `version: 1
limiters:
  api:
    tiers:
      - { name: hour, key: tenant, limit: 1000, window: 1h }
      - { name: credits, key: tenant, algorithm: balance, covers: [hour] }
`;
export const TOKENS = {
  auditor: 'auditor-token-0000000000',
  desk: 'desk-token-0000000000000',
  boss: 'boss-token-0000000000000',
};
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export type Name = keyof typeof TOKENS;

/** The client of the walks. */
export const acme = { kind: 'key', values: ['acme'] };

export interface Answer<T = { readonly error?: string }> {
  readonly status: number;
  readonly text: string;
  readonly body: T;
  readonly headers: Headers;
}

/** An application that limits tenants, and a process of its support desk, which has no limiter of its own. */
export class DeskScene {
  readonly #redis = withLimitsFile();
  readonly #opened: (() => unknown)[] = [];
  readonly #options: Partial<DashboardOptions>;
  url = '';
  /** The store of the desk. */
  store!: RedisStore;
  /** The policies of the application. */
  policies!: Policies<Subject>;
  /** Those of the desk. */
  deskPolicies!: Pick<Policies<never>, 'refresh'>;
  /** A request of the tenant. */
  use!: (cost?: number) => Promise<boolean>;
  balance!: () => Promise<number>;

  /** @param options of the dashboard beside the usual ones */
  constructor(options: Partial<DashboardOptions> = {}) {
    this.#options = options;
    beforeEach(() => this.#open());
    afterEach(async () => {
      for (const close of this.#opened.splice(0).toReversed()) await close();
    });
  }

  get redis() {
    return this.#redis;
  }

  async send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body = (isJson && text !== '' ? JSON.parse(text) : {}) as T;
    return { status: response.status, text, body, headers: response.headers };
  }

  post<T = { readonly error?: string }>(name: Name, route: string, body: object): Promise<Answer<T>> {
    const headers = { ...bearer(name), 'content-type': 'application/json' };
    return this.send(`/api/${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #open(): Promise<void> {
    writeFileSync(this.#redis.file, LIMITS);
    const [store, deskStore] = [1, 2].map(() => redisStore({ url: this.#redis.server.url }, patient));
    const keys = { tenant: ({ tenant }: Subject) => tenant };
    const fleet = redisPolicies(store!);
    const application = await openPolicies<Subject>(this.#redis.file, { keys, fleet, features: [quotas] });
    const limiter = application.limiter('api', { store: store! });
    this.use = async (cost = 1) => {
      await application.refresh();
      return (await limiter.consume({ tenant: 'acme' }, { cost })).allowed;
    };
    this.balance = async () => (await limiter.inspect({ tenant: 'acme' }))[1]!.outcome.remaining;
    const policies = await operatorPolicies(this.#redis.file, { store: deskStore! });
    const tokens = [
      { name: 'auditor', role: 'read', token: TOKENS.auditor },
      { name: 'desk', role: 'support', sha256: hash('sha256', TOKENS.desk) },
      { name: 'boss', role: 'admin', token: TOKENS.boss },
    ] as const;
    const options = { store: deskStore!, overrides: policies.overrides, tokens, ...this.#options };
    const dashboard = createDashboard(options);
    const server = createServer(dashboard.handle);
    const { port } = (await listen(server)) as { port: number };
    this.url = `http://127.0.0.1:${port}`;
    this.store = deskStore!;
    this.policies = application;
    this.deskPolicies = policies;
    this.#opened.push(
      () => store!.close(),
      () => deskStore!.close(),
      () => limiter.close(),
      () => application.close(),
      () => policies.close(),
      () => closeServer(server),
      () => dashboard.close(),
    );
  }
}

export const bearer = (name: Name) => ({ authorization: `Bearer ${TOKENS[name]}` });

/** So many days from now: `2027-01-31`. */
export function dayAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
