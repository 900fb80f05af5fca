import { randomUUID } from 'node:crypto';
import { bySession, rateLimit } from '@sluice/express';
import type { RequestHandler } from 'express';
import { versions } from '../../adapters/stacks/express.js';
import { remainingOf } from '../../support/responses.js';
import { siteOpener, type TestResponse } from '../../support/site.js';

/** Sessions as express-session has them: a client without a known id gets a new one, in a signed cookie. */
function sessions(): RequestHandler {
  const known = new Set<string>();
  return (request, response, next) => {
    const sent = /sid=s%3A([\w-]+)\.signature/.exec(request.headers.cookie ?? '')?.[1];
    const id = sent !== undefined && known.has(sent) ? sent : randomUUID();
    known.add(id);
    response.cookie('sid', `s:${id}.signature`);
    Object.assign(request, { sessionID: id, session: { id } });
    next();
  };
}

describe.each(versions)('sessions on %s', (_version, express) => {
  const open = siteOpener();

  it('have a budget each, and those that a client invents or does not return have that of its address', async () => {
    const gate = rateLimit({ key: bySession(), limit: 9, window: '1h' });
    const site = await open(express().use(sessions(), gate, (_request, response) => void response.end()));
    const cookieOf = ({ headers }: TestResponse) => headers['set-cookie']!.split(';')[0]!;
    const [ada, bob] = (await site.sendTimes(2)).map(cookieOf) as [string, string];
    const withCookies = (...cookies: string[]) => ({ headers: { Cookie: cookies.join('; ') } });

    const responses = await site.sendEach([
      withCookies(ada),
      withCookies(bob),
      withCookies('other=1', ada, 'sid=invented'),
      withCookies('sid=invented'),
      withCookies(`sid=s%3A${randomUUID()}.signature`),
      withCookies('sid=__proto__'),
      {},
    ]);

    expect(remainingOf(responses)).toEqual([8, 8, 7, 6, 5, 4, 3]);
  });
});
