import { Controller, Get, Injectable, UseGuards, type ModuleMetadata } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { InjectRateLimiter, RateLimit, RateLimitGuard, RateLimitModule } from '@sluice/nestjs';

import { applicationsOn, catsWith, entryGuard, moduleOf, platforms } from './application.js';

const LIMIT = { limit: 1, window: '1h' } as const;

@Controller()
@RateLimit(LIMIT)
class Dogs {
  @Get('dogs')
  find(): string {
    return 'a dog';
  }
}

@Controller()
@UseGuards(RateLimitGuard)
class Guarded {
  @Get('cats')
  find(): string {
    return 'a cat';
  }
}

class Jobs {
  constructor(@InjectRateLimiter() readonly limiter: unknown) {}
}
Injectable()(Jobs);

describe('RateLimitModule that is not imported', () => {
  const { open } = applicationsOn(platforms[0]);

  it.each<[string, ModuleMetadata]>([
    ['a guard of all handlers', { providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }] }],
    ['a guard of a controller', { controllers: [Guarded] }],
    ['a limiter of a service', { providers: [Jobs] }],
  ])('is named with what to write, by the error of Nest: %s', async (_what, root) => {
    await expect(open(root)).rejects.toThrow('RateLimitModule.forRoot({ … }) in the imports of the root module');
  });
});

describe('RateLimitModule without options', () => {
  const { open } = applicationsOn(platforms[0]);

  it.each<[string, ModuleMetadata]>([
    ['without a guard', {}],
    ['with a guard of all handlers', { providers: [entryGuard] }],
    ['with a guard that Nest makes', { providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }] }],
    ['with a guard of a controller', { controllers: [Guarded] }],
  ])('stops the start, with what to write: %s', async (_what, root) => {
    const message = /RateLimitModule(: the class is imported without options: write RateLimitModule)?\.forRoot\(\{/;

    await expect(open({ ...root, imports: [RateLimitModule] })).rejects.toThrow(message);
  });

  it('does no harm in a module beside the one with options', async () => {
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot(LIMIT), moduleOf({ imports: [RateLimitModule], controllers: [Dogs] })],
      providers: [entryGuard],
    });

    expect(await statuses(2, '/dogs')).toEqual([200, 429]);
  });
});

describe.each(platforms)('RateLimit without a module on $name', (platform) => {
  const { open } = applicationsOn(platform);
  const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

  it('gives no warning where the module is imported', async () => {
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot()],
      controllers: [Dogs, catsWith(RateLimit(LIMIT))],
      providers: [entryGuard],
    });

    expect([await statuses(2), await statuses(2, '/dogs')]).toEqual([
      [200, 429],
      [200, 429],
    ]);
    expect(warnings).not.toHaveBeenCalled();
  });
});

describe('RateLimit without a module', () => {
  const { open } = applicationsOn(platforms[0]);

  it('warns at the start, once', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

    await open({ controllers: [Dogs, catsWith(RateLimit(LIMIT))] });

    const options = expect.objectContaining({ code: 'SLUICE_NO_NEST_MODULE' });
    expect(warnings.mock.calls).toEqual([[expect.stringContaining('import RateLimitModule.forRoot()'), options]]);
  });
});
