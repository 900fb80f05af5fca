import type { HttpRequest } from '../request/request.js';
import { byApiKey } from './api-key.js';
import { by } from './by.js';
import { byHeader } from './header.js';
import { byJwtSubject } from './jwt-subject.js';
import { bySession } from './session.js';

type Identify = (options?: object) => (request: HttpRequest) => unknown;

const identities: [name: string, identify: Identify][] = [
  ['by', (options) => by('account', () => undefined, options)],
  ['byHeader', (options) => byHeader('x-tenant', options)],
  ['byApiKey', byApiKey],
  ['byJwtSubject', byJwtSubject],
  ['bySession', bySession],
];

describe.each(identities)('%s', (_name, identify) => {
  it('falls back to byIp, or to the function otherwise', () => {
    expect(identify()({ ip: '192.0.2.1' })).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
    expect(identify({ otherwise: () => 'guest' })({ ip: '192.0.2.1' })).toBe('guest');
  });
});
