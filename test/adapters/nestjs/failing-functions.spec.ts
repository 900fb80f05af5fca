import { RateLimitModule, type NestRequest } from '@sluice/nestjs';
import { applicationsOn, catsWith, entryGuard, platforms } from './application.js';

/** Reads a body that a GET request does not have. */
const key = (request: NestRequest) => (request as unknown as { body: { user: string } }).body.user;

describe.each(platforms)('a key function that reads a missing body on $name', (platform) => {
  const { open } = applicationsOn(platform);

  it('fails with nothing of its cause in the response', async () => {
    const { send } = await open({
      imports: [RateLimitModule.forRoot({ key, limit: 1, window: '1h' })],
      controllers: [catsWith()],
      providers: [entryGuard],
    });

    const { status, text } = await send();

    expect([status, JSON.parse(text)]).toEqual([500, { statusCode: 500, message: 'Internal server error' }]);
  });
});
