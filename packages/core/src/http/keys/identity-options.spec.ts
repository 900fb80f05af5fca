import type { ErrorCode } from '../../model/errors.js';
import { configError } from '../../../../../test/support/config-error.js';
import type { HttpRequest } from '../request.js';
import { byApiKey } from './api-key.js';
import { by } from './by.js';
import { byHeader } from './header.js';
import { byIp } from './ip.js';
import { byJwtSubject } from './jwt-subject.js';
import { bySession } from './session.js';

type Identify = (options?: object) => (request: HttpRequest) => unknown;

const identities: [name: string, identify: Identify, option: string][] = [
  ['byIp', byIp, 'from'],
  ['by', (options) => by('account', () => undefined, options), 'otherwise'],
  ['byHeader', (options) => byHeader('x-tenant', options), 'otherwise'],
  ['byApiKey', byApiKey, 'otherwise'],
  ['byApiKey', byApiKey, 'from'],
  ['byJwtSubject', byJwtSubject, 'otherwise'],
  ['byJwtSubject', byJwtSubject, 'from'],
  ['bySession', bySession, 'otherwise'],
];

describe.each(identities)('%s', (name, identify, option) => {
  it.each<[unknown, ErrorCode, string, string]>([
    [{ [option]: 'ip' }, 'OPTION_INVALID', option, `${option} must be a function, got "ip"`],
    [
      { [`${option}s`]: 5 },
      'OPTION_UNKNOWN',
      `${option}s`,
      `${option}s is not an option here: did you mean ${option}?`,
    ],
    ['x-key', 'OPTION_INVALID', 'options', 'options must be an object, got "x-key"'],
    [null, 'OPTION_INVALID', 'options', 'options must be an object, got null'],
    [named, 'OPTION_INVALID', 'options', 'options must be an object, got the function named'],
  ])('rejects the options %p', (options, code, wrong, message) => {
    const make = () => identify(options as object);

    expect(make).toThrow(configError(code, wrong, `${name}: ${message}`));
  });

  if (option === 'otherwise') {
    it('falls back to byIp, or to the function otherwise', () => {
      expect(identify()({ ip: '192.0.2.1' })).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
      expect(identify({ otherwise: () => 'guest' })({ ip: '192.0.2.1' })).toBe('guest');
    });

    it('rejects byIp without a call as otherwise', () => {
      const message = `${name}: otherwise must be what byIp returns: write byIp()`;

      expect(() => identify({ otherwise: byIp })).toThrow(message);
    });
  }
});

function named(): string {
  return 'ada';
}
