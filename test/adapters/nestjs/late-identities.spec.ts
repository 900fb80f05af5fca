import { by, RateLimitModule, type NestRequest } from '@sluice/nestjs';

import { warningCatcher } from '../../support/warnings.js';
import { applicationsOn, authenticatedGuard, catsWith, entryGuard, from, nameGuard, platforms } from './application.js';

const userOf = ({ user }: NestRequest) => (user as { id?: string } | undefined)?.id;
const byUser = () => ({ key: by<NestRequest>('user', userOf), limit: 100, window: '1h' }) as const;

describe.each(platforms)('an identity at a limit of Nest on $name', (platform) => {
  const { open } = applicationsOn(platform);
  const warnings = warningCatcher();

  it('is missing before the guard that authenticates, which gives a warning', async () => {
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot(byUser())],
      controllers: [catsWith()],
      providers: [entryGuard, nameGuard],
    });

    expect(await statuses(6, '/', from('ada'))).toEqual([200, 200, 200, 200, 200, 200]);
    expect(warnings()).toEqual([
      ['SLUICE_IDENTITY_TOO_LATE', expect.stringContaining("by('user'): the first requests had no identity")],
    ]);
  });

  it('is there in the option authenticated', async () => {
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot({ authenticated: byUser() })],
      controllers: [catsWith()],
      providers: [nameGuard, authenticatedGuard],
    });

    expect(await statuses(6, '/', from('ada'))).toEqual([200, 200, 200, 200, 200, 200]);
    expect(warnings()).toEqual([]);
  });
});
