/**
 * An application in plain JavaScript, with decorators called by hand, as a build without `emitDecoratorMetadata` does.
 * Prints the answers of its handlers, on Express and on Fastify.
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
  const { Catch, Controller, Get, Module, Post, UseGuards } = common;
  const { AuthenticatedRateLimitGuard, InjectRateLimiter, RateLimit, RateLimitDecision } = sluice;
  const { RateLimitException, RateLimitGuard, RateLimitModule, SkipRateLimit } = sluice;

  class Cats {
    /** @param {import('@sluice/nestjs').Limiter<object>} limiter */
    constructor(limiter) {
      this.limiter = limiter;
    }
    /** @param {import('@sluice/nestjs').Decision} decision */
    all(decision) {
      return decision.outcomes.map(({ tier, remaining }) => `${tier} ${remaining}`);
    }
    feed() {
      return 'fed';
    }
    async afford() {
      const { allowed } = await this.limiter.consume({ ip: '203.0.113.7' }, { cost: 5 });
      return String(allowed);
    }
  }
  Controller('cats')(Cats);
  InjectRateLimiter()(Cats, undefined, 0);
  RateLimit({ limit: 4, window: '1h' })(Cats);
  RateLimitDecision()(Cats.prototype, 'all', 0);
  decorate(Cats, 'all', [Get()]);
  const fed = RateLimit({ at: 'authenticated', limit: 1, window: '1h' });
  decorate(Cats, 'feed', [Post(), UseGuards(AuthenticatedRateLimitGuard), fed]);
  decorate(Cats, 'afford', [Get('afford'), SkipRateLimit()]);

  class DenialFilter {
    /** @param {InstanceType<typeof RateLimitException>} denial @param {import('@nestjs/common').ArgumentsHost} host */
    catch(denial, host) {
      const deniedBy = denial.problem['violated-policies'];
      host.switchToHttp().getResponse().status(denial.getStatus()).send(deniedBy);
    }
  }
  Catch(RateLimitException)(DenialFilter);

  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class Zoo {}
  Module({
    imports: [RateLimitModule.forRoot({ tiers: [{ name: 'all', limit: 9, window: '1h' }] })],
    controllers: [Cats],
    providers: [
      { provide: core.APP_GUARD, useClass: RateLimitGuard },
      { provide: core.APP_FILTER, useClass: DenialFilter },
    ],
  })(Zoo);

  for (const adapter of [new express.ExpressAdapter(), new fastify.FastifyAdapter()]) {
    /** @type {import('@nestjs/common').INestApplication} */
    const app = await core.NestFactory.create(Zoo, adapter, { abortOnError: false, logger: false });
    await app.listen(0, '127.0.0.1');
    const answers = [];
    for (const request of ['GET', 'GET /afford', 'GET /afford', 'POST', 'POST', 'GET', 'GET']) {
      const [method = 'GET', path = ''] = request.split(' ');
      const response = await fetch(`${await app.getUrl()}/cats${path}`, { method });
      answers.push(`${response.status} ${response.headers.get('x-ratelimit-remaining')} ${await response.text()}`);
    }
    await app.close();
    console.log(JSON.stringify(answers));
  }
}

/** @param {Function & { prototype: any }} target @param {string} name @param {readonly Function[]} decorators */
function decorate({ prototype }, name, decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorator of decorators.toReversed()) decorator(prototype, name, descriptor);
}
