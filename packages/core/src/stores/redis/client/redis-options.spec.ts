import { inspect } from 'node:util';
import { ConfigError } from '../../../model/errors.js';
import { redisStore } from '../redis-store.js';

describe('the options of redisStore', () => {
  const url = 'redis://127.0.0.1:6379';
  const sentinels = [{ host: '127.0.0.1', port: 26379 }];
  const cases: [what: string, given: unknown, code: string, option: string, message: string][] = [
    [
      'name no server',
      {},
      'OPTION_INVALID',
      'url',
      'is one of url, sentinels, cluster, of which exactly one must be given, got none',
    ],
    ['name two servers', { url, cluster: [url] }, 'OPTION_INVALID', 'cluster', 'must be given, got url and cluster'],
    [
      'are a text',
      url,
      'OPTION_INVALID',
      'client',
      'must be an ioredis client or options such as { url }, got a string',
    ],
    ['are missing', undefined, 'OPTION_INVALID', 'client', 'got undefined'],
    ['are null', null, 'OPTION_INVALID', 'client', 'got null'],
    [
      'have an unknown name',
      { uri: url },
      'OPTION_UNKNOWN',
      'uri',
      'known are url, sentinels, cluster, name, connection',
    ],
    ['have a host of ioredis', { host: 'h' }, 'OPTION_UNKNOWN', 'host', "use url: 'redis://host:port'"],
    [
      'have a password of ioredis',
      { url, password: 'x' },
      'OPTION_UNKNOWN',
      'password',
      'belongs into connection: { password }',
    ],
    [
      'are a client of node-redis',
      { evalSha: () => undefined },
      'OPTION_INVALID',
      'client',
      'pass { evalsha, eval } functions that call it',
    ],
    [
      'have a URL of another kind',
      { url: 'http://h' },
      'OPTION_INVALID',
      'url',
      'must begin with redis:// or rediss://',
    ],
    ['have a URL that is no text', { url: 6379 }, 'OPTION_INVALID', 'url', 'got 6379'],
    ['have no nodes', { cluster: [] }, 'OPTION_INVALID', 'cluster', 'must be an array of URLs'],
    ['have no Sentinels', { sentinels: [], name: 'primary' }, 'OPTION_INVALID', 'sentinels', 'must be an array'],
    [
      'have Sentinels without a name',
      { sentinels },
      'OPTION_INVALID',
      'name',
      'must be the group that the sentinels watch',
    ],
    ['have a name alone', { url, name: 'primary' }, 'OPTION_INVALID', 'name', 'beside sentinels only, got a string'],
    ['have a connection that is none', { url, connection: true }, 'OPTION_INVALID', 'connection', 'must be an object'],
    [
      'decide how the limiter fails',
      { url, connection: { commandTimeout: 9 } },
      'OPTION_INVALID',
      'connection.commandTimeout',
      'connection.commandTimeout must be left to the store, got 9',
    ],
  ];

  it.each(cases)('are refused when they %s', (_what, given, code, option, message) => {
    const error = thrownBy(() => redisStore(given as { url: string }));

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code, option, message: expect.stringContaining(message) });
    expect((error as Error).message).toMatch(/^redisStore: /);
  });

  const secret = 'redis://ada:secret@127.0.0.1';
  it.each<[what: string, given: unknown]>([
    ['a text', secret],
    ['a URL of another kind', { url: 'http://ada:secret@127.0.0.1' }],
    ['a URL with a slip', { url: 'redis//:secret@127.0.0.1' }],
    ['a URL object', { url: new URL(secret) }],
    ['two servers', { url: secret, cluster: [secret] }],
    ['a cluster of one text', { cluster: secret }],
    ['Sentinels of one text', { sentinels: secret, name: 'primary' }],
    ['a name that is a URL', { url, name: secret }],
    ['a connection that is a URL', { url, connection: secret }],
    ['a password beside the URL', { url, password: 'secret' }],
    ['a password that is no text', { url, auth: { password: 'secret' } }],
    ['a host that is a URL', { host: secret }],
    ['a setting of the store', { url, connection: { commandTimeout: secret } }],
    ['a client of node-redis', { evalSha: () => undefined, options: { url: secret } }],
  ])('keep the password out of the error when they are %s', (_what, given) => {
    const error = thrownBy(() => redisStore(given as { url: string }));

    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).value).toBeUndefined();
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('secret');
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
