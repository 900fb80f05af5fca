import { Controller, Get, Inject, Injectable, Param } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import {
  AUTHENTICATED_RATE_LIMITER,
  InjectRateLimiter,
  RATE_LIMITER,
  RateLimitModule,
  SkipRateLimit,
  type HttpRequest,
  type Limiter,
} from '@sluice/nestjs';

import { applicationsOn, catsWith, entryGuard, platforms } from './application.js';

/** A service, as for a job or a resolver. */
@Injectable()
class Imports {
  constructor(@InjectRateLimiter() private readonly limiter: Limiter<HttpRequest>) {}

  async run(client: HttpRequest, rows: number): Promise<boolean> {
    const { allowed } = await this.limiter.consume(client, { cost: rows });
    return allowed;
  }
}

@Controller('imports')
@SkipRateLimit()
class ImportsController {
  constructor(@Inject(Imports) private readonly imports: Imports) {}

  @Get(':rows')
  async run(@Param('rows') rows: string): Promise<object> {
    return { done: await this.imports.run({ ip: '203.0.113.7' }, Number(rows)) };
  }
}

describe.each(platforms)('InjectRateLimiter on $name', (platform) => {
  const { open } = applicationsOn(platform);
  const hourly = () => RateLimitModule.forRoot({ tiers: [{ name: 'hour', limit: 5, window: '1h' }] });

  it('gives services a limiter with the budgets of the guard', async () => {
    const { app, send } = await open({
      imports: [hourly()],
      controllers: [catsWith(), ImportsController],
      providers: [entryGuard, Imports],
    });
    const limiter = app.get<Limiter<HttpRequest>>(RATE_LIMITER);

    expect(JSON.parse((await send('/imports/4')).text)).toEqual({ done: true });
    expect(JSON.parse((await send('/imports/2')).text)).toEqual({ done: false });
    await limiter.consume({ ip: '127.0.0.1' }, { cost: 5 });
    expect((await send()).status).toBe(429);
    await limiter.reset({ ip: '127.0.0.1' });
    expect((await send()).status).toBe(200);
  });

  it('does not start if a class has a limiter injected and the module has no limits', async () => {
    const root = { imports: [RateLimitModule.forRoot()], providers: [Imports] };

    await expect(open(root)).rejects.toThrow(
      'Imports: forRoot must have limits before their limiter can be injected, got none',
    );
  });

  it('does not start if a factory or a property has a limiter injected and the module has no such limits', async () => {
    class Jobs {
      @InjectRateLimiter('authenticated') readonly limiter!: Limiter<HttpRequest>;
    }
    const factory = { provide: 'jobs', inject: [AUTHENTICATED_RATE_LIMITER], useFactory: (limiter: object) => limiter };

    for (const [name, provider] of [['Jobs', Jobs] as const, ['jobs', factory] as const]) {
      await expect(open({ imports: [hourly()], providers: [provider] })).rejects.toThrow(
        `${name}: the option authenticated of forRoot must have limits before their limiter can be injected, got none`,
      );
    }
  });

  it('gives a limiter that rejects every call to a caller of the token if the module has no limits', async () => {
    const { app } = await open({ imports: [hourly()] });
    const limiter = app.get<Limiter<HttpRequest>>(AUTHENTICATED_RATE_LIMITER);

    await expect(limiter.consume({})).rejects.toThrow(
      'RateLimitModule: the option authenticated of forRoot must have limits before their limiter can be injected, got none',
    );
  });

  it.each(['ws', 'graphql', 'rpc'])('counts calls of the kind %s, which the guard lets pass', async (kind) => {
    const { app } = await open({ imports: [hourly()], providers: [entryGuard, Imports] });
    const imports = app.get(Imports);
    // Nest's packages for GraphQL and WebSockets use this creator to call methods behind the global guards.
    const method = (...args: unknown[]) => imports.run(args[2] as HttpRequest, 3);
    const unused = [undefined, undefined, undefined, undefined] as const;
    const options = { guards: true, interceptors: true, filters: true };
    const call = app.get(ExternalContextCreator).create(imports, method, 'run', ...unused, options, kind) as (
      ...args: unknown[]
    ) => Promise<boolean>;
    const client = { ip: '203.0.113.7' };

    expect([await call({}, {}, client, {}), await call({}, {}, client, {})]).toEqual([true, false]);
  });
});
