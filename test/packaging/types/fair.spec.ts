import { createLimiter } from '@sluice/core';
import { rateLimit as onExpress } from '@sluice/express';
import { rateLimit as onFastify } from '@sluice/fastify';
import { rateLimit as onHono } from '@sluice/hono';
import { createGate, createWebGate, type HttpRequest } from '@sluice/http';
import { RateLimit, RateLimitModule } from '@sluice/nestjs';
import { fairBy } from '@sluice/overload/fair';
import Fastify from 'fastify';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

interface Caller {
  readonly tenant: string;
}

interface TenantRequest extends HttpRequest {
  readonly tenant: string;
}

const key = ({ tenant }: Caller) => tenant;

describe('The functions of fairBy', () => {
  it('know the request in the options of each adapter', () => {
    const limits = [
      () => onExpress({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ ip = '' }) => ip) }),
      () => onHono({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ context }) => context.req.path) }),
      () => createWebGate({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ url }) => url) }),
      () => RateLimit({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ ip = '' }) => ip) }),
      () => RateLimitModule.forRoot({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ url = '' }) => url) }),
      () =>
        Fastify().get(
          '/',
          { config: { rateLimit: { algorithm: 'concurrency', limit: 5, fair: fairBy(({ ip }) => ip) } } },
          async () => 'ok',
        ),
      // @ts-expect-error a request of Express has no tenant
      () => onExpress({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ tenant }) => String(tenant)) }),
    ];

    for (const make of limits) expect(make).not.toThrow();
  });

  it('may have a request of your own in a decorator of Nest', () => {
    const limits = [
      () => RateLimit({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ tenant }: TenantRequest) => tenant) }),
      () =>
        RateLimit({
          limit: ({ tenant }: TenantRequest) => tenant.length,
          window: '1m',
          cost: (request) => +request.tenant,
        }),
    ];

    for (const make of limits) expect(make).not.toThrow();
  });

  // TypeScript types the arguments of a call before it infers the type parameter of the call around it.
  it('need the subject of a limiter, a gate or a plugin by its name, which TypeScript infers too late', () => {
    const limits = [
      () => createLimiter<Caller>({ algorithm: 'concurrency', limit: 5, key, fair: fairBy(({ tenant }) => tenant) }),
      () => createGate<TenantRequest>({ algorithm: 'concurrency', limit: 5, fair: fairBy(({ tenant }) => tenant) }),
      () =>
        Fastify().register(onFastify, {
          algorithm: 'concurrency',
          limit: 5,
          fair: fairBy((request: { ip: string }) => request.ip),
        }),
      // @ts-expect-error the subject of key comes too late
      () => createLimiter({ algorithm: 'concurrency', limit: 5, key, fair: fairBy(({ tenant }) => tenant) }),
      // @ts-expect-error Fastify infers the options of a plugin
      () => Fastify().register(onFastify, { algorithm: 'concurrency', limit: 5, fair: fairBy(({ ip }) => ip) }),
    ];

    for (const make of limits) expect(make).not.toThrow();
  });
});
