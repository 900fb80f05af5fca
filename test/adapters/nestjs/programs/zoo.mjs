/**
 * An application of Nest in plain JavaScript, with decorators by hand and no metadata of types: what a build without
 * `emitDecoratorMetadata` comes down to. Prints what its handlers answer.
 *
 * @param {{
 *   common: typeof import('@nestjs/common'),
 *   core: typeof import('@nestjs/core'),
 *   express: typeof import('@nestjs/platform-express'),
 *   fastify: typeof import('@nestjs/platform-fastify'),
 *   sluice: typeof import('@sluice/nestjs'),
 * }} packages
 */
export async function zoo({ common, core, express, fastify, sluice }) {
  const { Controller, Get, Inject, Injectable, Module, Post, UseGuards } = common;
  const { AuthenticatedRateLimitGuard, InjectRateLimiter, RateLimit, RateLimitDecision } = sluice;
  const { RateLimitException, RateLimitGuard, RateLimitModule, SkipRateLimit } = sluice;

  class Keepers {
    /** @param {import('@sluice/nestjs').Limiter<object>} limiter */
    constructor(limiter) {
      this.limiter = limiter;
    }
    /** @param {number} cost */
    async afford(cost) {
      const { allowed } = await this.limiter.consume({ ip: '203.0.113.7' }, { cost });
      return allowed;
    }
  }
  Injectable()(Keepers);
  InjectRateLimiter()(Keepers, undefined, 0);

  class Cats {
    /** @param {Keepers} keepers */
    constructor(keepers) {
      this.keepers = keepers;
    }
    /** @param {import('@sluice/nestjs').Decision} decision */
    all(decision) {
      return { left: decision.outcomes.map(({ tier, remaining }) => `${tier} ${remaining}`) };
    }
    feed() {
      return { fed: true };
    }
    health() {
      return { well: true };
    }
    async inspect() {
      return { allowed: await this.keepers.afford(5) };
    }
  }
  Controller('cats')(Cats);
  Inject(Keepers)(Cats, undefined, 0);
  RateLimit({ limit: 4, window: '1h' })(Cats);
  RateLimitDecision()(Cats.prototype, 'all', 0);
  decorate(Cats, 'all', [Get()]);
  decorate(Cats, 'feed', [
    Post(),
    UseGuards(AuthenticatedRateLimitGuard),
    RateLimit({ at: 'authenticated', limit: 1, window: '1h' }),
  ]);
  decorate(Cats, 'health', [Get('health'), SkipRateLimit()]);
  decorate(Cats, 'inspect', [Get('inspect'), SkipRateLimit()]);

  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class Zoo {}
  Module({
    imports: [RateLimitModule.forRoot({ tiers: [{ name: 'all', limit: 9, window: '1h' }] })],
    controllers: [Cats],
    providers: [Keepers, { provide: core.APP_GUARD, useClass: RateLimitGuard }],
  })(Zoo);

  for (const adapter of [new express.ExpressAdapter(), new fastify.FastifyAdapter()]) {
    /** @type {import('@nestjs/common').INestApplication} */
    const app = await core.NestFactory.create(Zoo, adapter, { abortOnError: false, logger: false });
    /** @type {unknown[]} */
    const seen = [];
    app.useGlobalFilters(filterOf(common.Catch, RateLimitException, adapter, seen));
    await app.listen(0, '127.0.0.1');
    const url = `${await app.getUrl()}/cats`;
    /** @param {string} path @param {string} [method] */
    const ask = async (path, method) => {
      const response = await fetch(url + path, method ? { method } : {});
      return `${response.status} ${response.headers.get('x-ratelimit-remaining')} ${await response.text()}`;
    };
    const answers = [];
    for (const path of ['', '/health', '/inspect', '/inspect']) answers.push(await ask(path));
    for (let count = 0; count < 2; count += 1) answers.push(await ask('', 'POST'));
    for (let count = 0; count < 2; count += 1) answers.push(await ask(''));
    await app.close();
    console.log(JSON.stringify({ answers, seen: seen.length }));
  }
}

/** @param {Function & { prototype: any }} target @param {string} name @param {readonly Function[]} decorators */
function decorate({ prototype }, name, decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorator of decorators.toReversed()) decorator(prototype, name, descriptor);
}

/**
 * @param {typeof import('@nestjs/common').Catch} Catch
 * @param {typeof import('@sluice/nestjs').RateLimitException} Exception
 * @param {import('@nestjs/core').AbstractHttpAdapter} adapter
 * @param {unknown[]} seen
 */
function filterOf(Catch, Exception, adapter, seen) {
  class Filter {
    /** @param {InstanceType<typeof Exception>} exception @param {import('@nestjs/common').ArgumentsHost} host */
    catch(exception, host) {
      seen.push(exception);
      const denied = exception.problem['violated-policies'];
      adapter.reply(host.switchToHttp().getResponse(), { denied }, exception.getStatus());
    }
  }
  Catch(Exception)(Filter);
  return new Filter();
}
