import { isIn, type Field } from '../contestants/field.js';
import type { HttpContestant } from './http-contestant.js';

/** The reference of each framework: the same server without a limit. */
export const bareOf = { express: 'Express, bare', fastify: 'Fastify, bare', hono: 'Hono, bare' } as const;

const sluice = { kind: 'sluice' } as const;
const peer = { kind: 'peer' } as const;
const memory = { store: 'memory', denied: false } as const;
const redis = { store: 'redis', denied: false } as const;
const denied = { store: 'redis', denied: true } as const;
const deniedInMemory = { store: 'memory', denied: true, isUnsent: true } as const;

const onExpress: readonly Omit<HttpContestant, 'framework'>[] = [
  { name: bareOf.express, kind: 'limit', store: 'none', denied: false, load: () => import('./express/bare.js') },
  { ...peer, ...memory, name: 'express-rate-limit, memory', load: () => import('./express/express-rate-limit.js') },
  {
    field: 'usual',
    ...peer,
    ...memory,
    name: 'rate-limiter-flexible, memory',
    load: () => import('./express/rate-limiter-flexible.js'),
  },
  { ...peer, ...memory, name: 'hitlimit, memory', load: () => import('./express/hitlimit.js') },
  { ...sluice, ...memory, name: 'Sluice, memory', load: () => import('./express/sluice.js') },
  {
    ...peer,
    ...redis,
    name: 'express-rate-limit, rate-limit-redis',
    load: () => import('./express/express-rate-limit.js'),
  },
  { ...peer, ...redis, name: 'rate-limiter-flexible, Redis', load: () => import('./express/rate-limiter-flexible.js') },
  { ...sluice, ...redis, name: 'Sluice, Redis', load: () => import('./express/sluice.js') },
  {
    field: 'usual',
    ...peer,
    ...denied,
    name: 'express-rate-limit, rate-limit-redis, denied',
    load: () => import('./express/express-rate-limit.js'),
  },
  {
    ...peer,
    ...denied,
    name: 'rate-limiter-flexible, Redis, inMemoryBlockOnConsumed, denied',
    load: () => import('./express/rate-limiter-flexible-block.js'),
  },
  { ...sluice, ...denied, name: 'Sluice, Redis, denied', load: () => import('./express/sluice.js') },
  {
    field: 'usual',
    ...peer,
    ...deniedInMemory,
    name: 'express-rate-limit, memory, denied',
    load: () => import('./express/express-rate-limit.js'),
  },
  {
    ...peer,
    ...deniedInMemory,
    name: 'rate-limiter-flexible, memory, denied',
    load: () => import('./express/rate-limiter-flexible.js'),
  },
  { ...sluice, ...deniedInMemory, name: 'Sluice, memory, denied', load: () => import('./express/sluice.js') },
];

const onFastify: readonly Omit<HttpContestant, 'framework'>[] = [
  { name: bareOf.fastify, kind: 'limit', store: 'none', denied: false, load: () => import('./fastify/bare.js') },
  { ...peer, ...memory, name: '@fastify/rate-limit, memory', load: () => import('./fastify/fastify-rate-limit.js') },
  {
    ...peer,
    ...memory,
    name: 'rate-limiter-flexible, memory',
    load: () => import('./fastify/rate-limiter-flexible.js'),
  },
  { ...peer, ...memory, name: 'hitlimit, memory', load: () => import('./fastify/hitlimit.js') },
  { ...sluice, ...memory, name: 'Sluice, memory', load: () => import('./fastify/sluice.js') },
  { ...peer, ...redis, name: '@fastify/rate-limit, Redis', load: () => import('./fastify/fastify-rate-limit.js') },
  {
    field: 'usual',
    ...peer,
    ...redis,
    name: 'rate-limiter-flexible, Redis',
    load: () => import('./fastify/rate-limiter-flexible.js'),
  },
  { ...sluice, ...redis, name: 'Sluice, Redis', load: () => import('./fastify/sluice.js') },
  {
    field: 'usual',
    ...peer,
    ...denied,
    name: '@fastify/rate-limit, Redis, denied',
    load: () => import('./fastify/fastify-rate-limit.js'),
  },
  {
    ...peer,
    ...denied,
    name: 'rate-limiter-flexible, Redis, inMemoryBlockOnConsumed, denied',
    load: () => import('./fastify/rate-limiter-flexible-block.js'),
  },
  { ...sluice, ...denied, name: 'Sluice, Redis, denied', load: () => import('./fastify/sluice.js') },
  {
    ...sluice,
    ...memory,
    isUnsent: true,
    name: 'Sluice, memory, sliding-window',
    load: () => import('./fastify/sluice-sliding.js'),
  },
  {
    ...sluice,
    ...memory,
    isUnsent: true,
    name: 'Sluice, memory, three fixed windows',
    load: () => import('./fastify/sluice-three-fixed.js'),
  },
  {
    ...sluice,
    ...memory,
    isUnsent: true,
    name: 'Sluice, memory, three sliding windows',
    load: () => import('./fastify/sluice-three-sliding.js'),
  },
  {
    ...peer,
    ...deniedInMemory,
    name: '@fastify/rate-limit, memory, denied',
    load: () => import('./fastify/fastify-rate-limit.js'),
  },
  {
    field: 'usual',
    ...peer,
    ...deniedInMemory,
    name: 'rate-limiter-flexible, memory, denied',
    load: () => import('./fastify/rate-limiter-flexible.js'),
  },
  { ...sluice, ...deniedInMemory, name: 'Sluice, memory, denied', load: () => import('./fastify/sluice.js') },
];

const onHono: readonly Omit<HttpContestant, 'framework'>[] = [
  { name: bareOf.hono, kind: 'limit', store: 'none', denied: false, load: () => import('./hono/bare.js') },
  { ...peer, ...memory, name: 'hono-rate-limiter, memory', load: () => import('./hono/hono-rate-limiter.js') },
  { ...sluice, ...memory, name: 'Sluice, memory', load: () => import('./hono/sluice.js') },
];

export const httpContestants: readonly HttpContestant[] = [
  ...onExpress.map((each) => ({ ...each, framework: 'express' as const })),
  ...onFastify.map((each) => ({ ...each, framework: 'fastify' as const })),
  ...onHono.map((each) => ({ ...each, framework: 'hono' as const })),
];

/** The contestants of a framework. */
export function httpEntrants(framework: HttpContestant['framework'], field: Field): readonly HttpContestant[] {
  return httpContestants.filter((each) => each.framework === framework && isIn(each.field, field));
}

/** Those of them that answer clients. */
export function serverEntrants(framework: HttpContestant['framework'], field: Field): readonly HttpContestant[] {
  return httpEntrants(framework, field).filter(({ isUnsent }) => !isUnsent);
}
