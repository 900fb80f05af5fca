// A library of an application, with declarations: TypeScript must be able to name each type that it infers here.
import * as core from '@sluice/http';
import * as lists from '@sluice/http/lists';
import { actState, consumeStates, peekStates, refundState, renewState } from '@sluice/core/own-store';
import { clientOf, redisStore } from '@sluice/redis';
import { fakeClock } from '@sluice/testing';
import * as express from '@sluice/express';
import * as fastify from '@sluice/fastify';
import * as hono from '@sluice/hono';
import { fair, fairBy } from '@sluice/overload/fair';
import { balance, creditsOf, notices, quotas, usage } from '@sluice/quotas';

interface Caller {
  readonly user: string;
  readonly ip: string;
}

export const store = core.memoryStore({ clock: fakeClock() });
export const remote = () => redisStore(clientOf({ send: async () => [] }));
export const byPhone = core.byTarget('phone', ({ user }: Caller) => user, { as: 'digits' });
export const byUser = core.by('user', ({ user }: Caller) => user);
export const keys = [core.byIp(), core.byApiKey(), core.byHeader('x-tenant'), core.bySession(), core.byJwtSubject()];
export const both = core.compose(core.byIp<Caller>(), byUser);
export const tiers = core.llmTiers<Caller>({ key: byUser, requests: { limit: 1, window: '1m' } } as never);
export const signIn = core.loginTiers<core.HttpRequest>({ account: () => 'ada' });
export const limiter = core.createLimiter({ store, name: 'user', key: byUser, limit: 5, window: '1m' });
export const list = lists.ipList({ networks: ['192.0.2.0/24'] } as never);
export const gate = core.createGate({ key: core.byIp(), limit: 5, window: '1m' });
export const webGate = core.createWebGate({ clientAddress: () => '192.0.2.1', limit: 5, window: '1m' } as never);
export const policy = core.definePolicy({ limit: 5, window: '1m' });

export const values = [balance({ covers: ['month'] }), notices(0.9), usage(), quotas, fair] as const;
export const shares = fairBy(({ user }: Caller) => user, { weight: () => 2 });

export const consume = (caller: Caller) => limiter.consume(caller, { cost: 2 });
export const peek = (caller: Caller) => limiter.peek(caller);
export const inspect = (caller: Caller) => limiter.inspect(caller);
export const terms = async (caller: Caller) => (await limiter.inspect(caller)).map((each) => each.terms);
export const account = (user: string) => limiter.of(user);
export const credit = (caller: Caller) => creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' });
export const reconcile = (caller: Caller) => creditsOf(limiter).reconcile(caller, 5, { asOf: 0 });
export const run = (caller: Caller) => core.run(limiter, caller, () => 5);
export const meter = (decision: core.Decision) => limiter.meter(decision, { tier: 'user', lot: 5 });
export const extend = (decision: core.Decision) => core.extend(decision, { user: 5 });
export const policies = (decision: core.Decision) => limiter.policies(decision);
export const source = ({ source: from }: core.Decision) => from;
export const views = core.limitersOf(store);
export const states = views.map((view) => [view.of('ada'), view.tiers] as const);
export const stats = () => core.statsOf(store);
export const tracks = (decision: core.Decision) => core.tracksOf(decision);
export const breakers: core.SluiceEvents['sluice:breaker'][] = [];
export const begun = (event: core.SluiceEvents['sluice:lease']): core.SluiceEvents['sluice:lease'] => event;
export const stop = core.subscribe('sluice:decision', () => undefined);
export const admit = (request: Request) => webGate.admit(request, { address: '192.0.2.1' } as never);
export const networks = () => list.entries();
export const owner = [actState, consumeStates, peekStates, refundState, renewState];
export const middleware = express.rateLimit({ limit: 5, window: '1m' });
export const plugin = fastify.rateLimit;
export const handler = hono.rateLimit({ limit: 5, window: '1m' } as never);
