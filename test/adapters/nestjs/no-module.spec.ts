import { Controller, Get } from '@nestjs/common';
import { RateLimit, RateLimitModule } from '@sluice/nestjs';

import { applicationsOn, catsWith, entryGuard, platforms } from './application.js';

const LIMIT = { limit: 1, window: '1h' } as const;

@Controller()
@RateLimit(LIMIT)
class Dogs {
  @Get('dogs')
  find(): string {
    return 'a dog';
  }
}

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
