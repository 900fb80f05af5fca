import { Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import {
  AuthenticatedRateLimitGuard,
  createLimiter,
  memoryStore,
  RateLimit,
  RateLimitGuard,
  RateLimitModule,
  SkipRateLimit,
} from '@sluice/nestjs';

import { applicationsOn, catsWith, entryGuard, platforms } from './application.js';

const ONCE = { limit: 1, window: '1h' } as const;
const limiter = createLimiter({ ...ONCE, key: () => 'all' });

/** The options of `@RateLimit` and of the module are checked when the application starts. */
describe('The options of RateLimit', () => {
  const { start } = applicationsOn(platforms[0]);

  it('stop the start with an error that names controller, handler and option', async () => {
    await expect(start({}, catsWith(RateLimit({ limit: 0.5, window: '1h' })))).rejects.toMatchObject({
      name: 'ConfigError',
      code: 'LIMIT_INVALID',
      option: 'limit',
      message: expect.stringContaining('Cats.find: tier "GET /" (sliding-window): limit must be') as string,
    });
  });

  it.each<[string, unknown, string]>([
    ['a number', 5, 'options must be an object, got 5'],
    ['at', { ...ONCE, at: 'never' }, 'at must be one of "entry", "authenticated", got "never"'],
    ['override', { ...ONCE, override: 'yes' }, 'override must be one of true, false, got "yes"'],
    ['onDenied', { ...ONCE, onDenied: () => {} }, 'onDenied is not an option in Nest: catch RateLimitException'],
    ['tiers', { tiers: [] }, 'tiers must be an array of 1 to 32 tiers'],
    ['a tier', { tiers: [null], onStoreFailure: 'deny' }, 'tiers must hold objects, got null'],
    ['limiter', { limiter: {} }, 'limiter must be a limiter'],
    ['onStoreFailure', { ...ONCE, onStoreFailure: 'send' }, 'onStoreFailure must be one of "local", "allow", "deny"'],
    ['share', { ...ONCE, share: 2 }, 'share must be a number above 0 and at most 1'],
    ['ttl', { limit: 1, ttl: 1_000 }, 'ttl is called window here'],
    [
      'default',
      { default: { limit: 1, ttl: 1_000 } },
      'default is not an option here: use { limit, window }, or tiers',
    ],
    ['getTracker', { ...ONCE, getTracker: () => 'ada' }, 'getTracker is called key here'],
    ['skipIf', { ...ONCE, skipIf: () => true }, 'skipIf is called skip here'],
    [
      'blockDuration',
      { ...ONCE, blockDuration: 5 },
      "blockDuration has no equivalent: use a tier with algorithm: 'backoff'",
    ],
    ['handler', { ...ONCE, handler: () => {} }, 'handler is not an option in Nest: catch RateLimitException'],
  ])('reject %s', async (_what, options, message) => {
    const started = start({}, catsWith(RateLimit(options as never)));

    await expect(started).rejects.toMatchObject({
      message: expect.stringMatching(/^Cats\.find: /) as string,
    });
    await expect(started).rejects.toThrow(message);
  });

  it('require a name for a second limit of a route, which must not share a budget', async () => {
    await expect(start({}, catsWith(RateLimit(ONCE), RateLimit({ limit: 9, window: '1h' })))).rejects.toThrow(
      'Cats.find: tier: name must be given, because another limit is named by the same route, "GET /", got undefined',
    );
  });

  it('reject the name of another tier of the handler, which would be charged twice', async () => {
    const minute = { name: 'minute', limit: 5, window: '1m' } as const;

    await expect(start(minute, catsWith(RateLimit({ ...minute, skip: () => false })))).rejects.toMatchObject({
      code: 'TIER_NAME_TAKEN',
      message: 'Cats.find: tier "minute": name must be unique among the limits of a handler, got "minute" twice',
    });
  });

  it('reject the name of a tier with other numbers in the same store', async () => {
    @Controller()
    class Cats {
      @Get()
      @RateLimit({ ...ONCE, name: 'cats' })
      find(): void {}
      @Get('all')
      @RateLimit({ limit: 2, window: '1h', name: 'cats' })
      all(): void {}
    }

    await expect(start({}, Cats)).rejects.toThrow('Cats.all: tier "cats": name must belong to one tier of a store');
  });
});

describe('SkipRateLimit', () => {
  const { start } = applicationsOn(platforms[0]);

  it('rejects a name that no inherited tier has', async () => {
    const tiers = [{ name: 'hour', ...ONCE }];

    await expect(start({ tiers }, catsWith(SkipRateLimit('hours')))).rejects.toThrow(
      'Cats.find: SkipRateLimit: names must be inherited tiers (hour), got "hours". To skip a plan or a shared limiter, give no names',
    );
  });
});

describe('The options of forRootAsync', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'useFactory is missing: it must be a function that returns the options'],
    ['no factory', {}, 'useFactory is missing: it must be a function that returns the options'],
    ['a class', { useClass: Injectable }, 'useClass is not an option here: known are imports, inject, useFactory'],
    ['options', { useFactory: ONCE }, 'useFactory must be a function that returns the options, got an object'],
  ])('reject %s', (_name, options, message) => {
    expect(() => RateLimitModule.forRootAsync(options as never)).toThrow(`RateLimitModule.forRootAsync: ${message}`);
  });
});

describe.each([RateLimitGuard, AuthenticatedRateLimitGuard])('new %p', (Guard) => {
  it('is an error that says how Nest makes a guard', () => {
    const rule = `write { provide: APP_GUARD, useExisting: ${Guard.name} } or @UseGuards(${Guard.name})`;

    expect(() => new (Guard as new () => object)()).toThrow(`${Guard.name}: Nest makes it: ${rule}`);
  });
});

describe('The options of RateLimitModule', () => {
  const { open } = applicationsOn(platforms[0]);

  it.each<[string, unknown, string]>([
    ['a number', 5, 'options must be an object, got 5'],
    ['nothing', undefined, 'options must be an object, got undefined'],
    ['null', null, 'options must be an object, got null'],
    ['a limiter', limiter, 'options must be an object that holds the limiter: { limiter }, got an object'],
    ['a store without a name', { ...ONCE, store: memoryStore() }, 'tier: name must be given'],
    ['at', { at: 'authenticated' }, 'at is not an option here: only @RateLimit has it'],
    ['override', { override: true }, 'override is not an option here: only @RateLimit has it'],
    ['onDenied', { onDenied: () => {} }, 'onDenied is not an option in Nest: catch RateLimitException'],
    ['onStoreFailure', { ...ONCE, onStoreFailure: 'send' }, 'tier "default" (sliding-window): onStoreFailure must be'],
    ['share', { ...ONCE, share: 0 }, 'rateLimit: share must be a number above 0'],
    ['throttlers', { throttlers: [ONCE] }, 'throttlers is called tiers here'],
    ['errorMessage', { errorMessage: 'no' }, 'errorMessage is called body here'],
    ['storage', { authenticated: { storage: {} } }, 'authenticated.storage is called store here'],
    ['authenticated as text', { authenticated: '' }, 'authenticated must be an object, got ""'],
    ['authenticated.at', { authenticated: { at: 'entry' } }, 'authenticated.at is not an option here'],
  ])('stop the start for %s, in forRoot and from a factory', async (_name, options, message) => {
    const modules = [
      RateLimitModule.forRoot(options as object),
      RateLimitModule.forRootAsync({ useFactory: () => options as object }),
    ];

    for (const module of modules) {
      await expect(open({ imports: [module], providers: [entryGuard] })).rejects.toThrow(`RateLimitModule: ${message}`);
    }
  });
});

describe('Decorators where no HTTP request arrives', () => {
  const { open } = applicationsOn(platforms[0]);

  @Controller()
  class Subscribers {
    @RateLimit(ONCE)
    receive(): void {}
  }
  @Injectable()
  class LimitedMethod {
    @RateLimit(ONCE)
    receive(): void {}
  }
  @Injectable()
  @RateLimit(ONCE)
  class LimitedClass {
    resolve(): void {}
  }
  @Injectable()
  @UseGuards(RateLimitGuard)
  class GuardedClass {
    receive(): void {}
  }
  @Injectable()
  class GuardedMethod {
    @UseGuards(new AuthenticatedRateLimitGuard({} as never))
    resolve(): void {}
  }
  @Controller()
  class Messages {
    @UseGuards(RateLimitGuard)
    receive(): void {}
    @Get()
    find(): void {}
  }

  it.each<[string, 'controllers' | 'providers', new () => object]>([
    ['LimitedMethod.receive: @RateLimit', 'providers', LimitedMethod],
    ['Subscribers.receive: @RateLimit', 'controllers', Subscribers],
    ['LimitedClass: @RateLimit', 'providers', LimitedClass],
    ['GuardedClass: RateLimitGuard', 'providers', GuardedClass],
    ['GuardedMethod.resolve: AuthenticatedRateLimitGuard', 'providers', GuardedMethod],
    ['Messages.receive: RateLimitGuard', 'controllers', Messages],
  ])('stop the start: %s, in %s', async (message, kind, target) => {
    const root = { imports: [RateLimitModule.forRoot()], providers: [entryGuard] };
    const started = open(
      kind === 'providers' ? { ...root, providers: [entryGuard, target] } : { ...root, controllers: [target] },
    );

    await expect(started).rejects.toThrow(`${message} works only on a controller or on a handler with a route`);
  });
});
