import { inspect } from 'node:util';
import { ConfigError } from '../../../model/errors.js';
import { redisStore } from '../redis-store.js';
import { checkOptions } from './redis-options.js';

describe('redisStore, options', () => {
  it('accept a Sentinel without a port, which has a default', () => {
    expect(() => checkOptions({ sentinels: [{ host: 'h' } as never], name: 'primary' }, [])).not.toThrow();
  });

  const url = 'redis://127.0.0.1:6379';
  const sentinels = [{ host: '127.0.0.1', port: 26379 }];
  const misspellings: [wrong: string, right: string][] = [
    ['pasword', 'password'],
    ['passwrod', 'password'],
    ['Username', 'username'],
    ['dbs', 'db'],
    ['tlss', 'tls'],
    ['sentinelPasword', 'sentinelPassword'],
  ];
  const wrongServers: [server: object, member: string, message: string][] = [
    [{ host: undefined, port: NaN }, 'host', 'must be the name of a host, got undefined'],
    [{ host: '', port: 6379 }, 'host', 'must be the name of a host, got a string'],
    [{}, 'host', 'must be the name of a host, got undefined'],
    [{ host: 'h', port: NaN }, 'port', 'must be an integer from 1 to 65535, such as Number(process.env.PORT), got NaN'],
    [
      { host: 'h', port: '6379' },
      'port',
      'must be an integer from 1 to 65535, such as Number(process.env.PORT), got a string',
    ],
    [
      { host: 'h', port: 65_536 },
      'port',
      'must be an integer from 1 to 65535, such as Number(process.env.PORT), got 65536',
    ],
  ];
  const cases: [what: string, given: unknown, code: string, option: string, message: string][] = [
    ['no server', {}, 'OPTION_INVALID', 'url', 'is one of url, sentinels, cluster: pass exactly one, got none'],
    [
      'an unset variable',
      { url: undefined },
      'OPTION_INVALID',
      'url',
      'is undefined: set the variable that it is read',
    ],
    ['an empty variable', { url: '' }, 'OPTION_INVALID', 'url', 'is empty: set the variable that it is read from'],
    ['unset nodes', { cluster: undefined }, 'OPTION_INVALID', 'cluster', 'is undefined: set the variable'],
    ['a REST API', { url: 'https://h' }, 'OPTION_INVALID', 'url', 'https:// is a REST API, such as that of Upstash'],
    ['a token', { url: 'https://h', token: 'x' }, 'OPTION_UNKNOWN', 'token', "of Upstash: use url: 'rediss://default:"],
    ['two servers', { url, cluster: [url] }, 'OPTION_INVALID', 'cluster', 'exactly one, got url and cluster'],
    ['a string', url, 'OPTION_INVALID', 'client', 'an ioredis client or options such as { url }, got a string'],
    ['undefined', undefined, 'OPTION_INVALID', 'client', 'got undefined'],
    ['null', null, 'OPTION_INVALID', 'client', 'got null'],
    ['an unknown name', { uri: url }, 'OPTION_UNKNOWN', 'uri', 'use url, sentinels, cluster, name, connection'],
    ['a host of ioredis', { host: 'h' }, 'OPTION_UNKNOWN', 'host', "use url: 'redis://host:port'"],
    ['a password of ioredis', { url, password: 'x' }, 'OPTION_UNKNOWN', 'password', 'connection: { password }'],
    ['a deadline', { url, deadline: 20 }, 'OPTION_UNKNOWN', 'deadline', 'argument: redisStore({ … }, { deadline })'],
    [
      'a deadline to connect',
      { url, connectDeadline: 20 },
      'OPTION_UNKNOWN',
      'connectDeadline',
      'belongs in the second argument: redisStore({ … }, { connectDeadline })',
    ],
    ...misspellings.map(
      ([wrong, right]) =>
        [
          `connection.${wrong}`,
          { url, connection: { [wrong]: 'x' } },
          'OPTION_UNKNOWN',
          `connection.${wrong}`,
          `is not an option of ioredis: did you mean ${right}?`,
        ] as [string, unknown, string, string, string],
    ),
    ['a client of node-redis', { evalSha: () => undefined }, 'OPTION_INVALID', 'client', 'an object with evalsha'],
    ['a URL of another kind', { url: 'http://h' }, 'OPTION_INVALID', 'url', 'must begin with redis:// or rediss://'],
    ['a URL without a host', { url: 'redis:///tmp/redis.sock' }, 'OPTION_INVALID', 'url', 'connection: { path }'],
    ['a URL with a wrong port', { url: 'redis://u:p@h:99999' }, 'OPTION_INVALID', 'url', 'must be a URL such as'],
    ['a URL with a bare %', { url: 'redis://u:p%zz@h' }, 'OPTION_INVALID', 'url', '% in a user or password'],
    ['a node with a wrong port', { cluster: [url, 'redis://h:x'] }, 'OPTION_INVALID', 'cluster[1]', 'must be a URL'],
    ['a number as URL', { url: 6379 }, 'OPTION_INVALID', 'url', 'got 6379'],
    ['no nodes', { cluster: [] }, 'OPTION_INVALID', 'cluster', 'must be an array of URLs'],
    ['no Sentinels', { sentinels: [], name: 'primary' }, 'OPTION_INVALID', 'sentinels', 'must be an array'],
    ['null as nodes', { cluster: null }, 'OPTION_INVALID', 'cluster', 'must be an array of URLs'],
    ['null as Sentinels', { sentinels: null, name: 'primary' }, 'OPTION_INVALID', 'sentinels', 'must be an array'],
    [
      'an unset node',
      { cluster: [url, undefined] },
      'OPTION_INVALID',
      'cluster[1]',
      'a URL or { host, port }, got undef',
    ],
    ['a node without a port', { cluster: [{ host: 'h' }] }, 'OPTION_INVALID', 'cluster[0].port', 'got undefined'],
    ['an empty node', { cluster: [''] }, 'OPTION_INVALID', 'cluster[0]', 'must begin with redis://'],
    [
      'a port as node',
      { cluster: [6379] },
      'OPTION_INVALID',
      'cluster[0]',
      'must be a URL or { host, port }, got 6379',
    ],
    [
      'an unset Sentinel',
      { sentinels: [undefined], name: 'primary' },
      'OPTION_INVALID',
      'sentinels[0]',
      'be { host, port }',
    ],
    ...wrongServers.flatMap(([server, member, message]) =>
      [{ cluster: [server] }, { sentinels: [server], name: 'primary' }].map((given): (typeof cases)[number] => {
        const option = `${Object.keys(given)[0]}[0].${member}`;
        return [`${option} of ${inspect(server)}`, given, 'OPTION_INVALID', option, `${option} ${message}`];
      }),
    ),
    ['Sentinels without a name', { sentinels }, 'OPTION_INVALID', 'name', 'must name the group of the sentinels'],
    ['a name without Sentinels', { url, name: 'primary' }, 'OPTION_INVALID', 'name', 'with sentinels, got a string'],
    ['a boolean connection', { url, connection: true }, 'OPTION_INVALID', 'connection', 'must be an object'],
    [
      'a reserved setting',
      { url, connection: { commandTimeout: 9 } },
      'OPTION_INVALID',
      'connection.commandTimeout',
      'connection.commandTimeout is set by the store: remove it, got 9',
    ],
  ];

  it.each(cases)('rejects %s', (_what, given, code, option, message) => {
    const error = thrownBy(() => redisStore(given as { url: string }));

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code, option, message: expect.stringContaining(message) });
    expect((error as Error).message).toMatch(/^redisStore: /);
  });

  it('accepts options of ioredis that it does not know', async () => {
    const connection = { username: 'ada', db: 1, tls: {}, family: 4, path: '/tmp/none.sock', ca: 'x', readOnly: false };

    const store = redisStore({ url, connection });

    await expect(store.close()).resolves.toBeUndefined();
  });

  const secret = 'redis://ada:secret@127.0.0.1';
  it.each<[what: string, given: unknown]>([
    ['a string', secret],
    ['a URL of another kind', { url: 'http://ada:secret@127.0.0.1' }],
    ['a URL with a typo', { url: 'redis//:secret@127.0.0.1' }],
    ['a URL with a wrong port', { url: 'redis://ada:secret@h:99999' }],
    ['a URL with a bare %', { url: 'redis://ada:secret%zz@h' }],
    ['a URL object', { url: new URL(secret) }],
    ['two servers', { url: secret, cluster: [secret] }],
    ['a string as cluster', { cluster: secret }],
    ['a string as sentinels', { sentinels: secret, name: 'primary' }],
    ['a node with a wrong port', { cluster: ['redis://ada:secret@h:99999'] }],
    ['a URL object as node', { cluster: [new URL(secret)] }],
    ['a URL as port of a node', { cluster: [{ host: 'h', port: secret }] }],
    ['an object as host of a node', { cluster: [{ host: { url: secret }, port: 1, password: 'secret' }] }],
    ['a URL as Sentinel', { sentinels: [secret], name: 'primary' }],
    ['a URL as port of a Sentinel', { sentinels: [{ host: 'h', port: secret, password: 'secret' }], name: 'primary' }],
    ['a URL as name', { url, name: secret }],
    ['a URL as connection', { url, connection: secret }],
    ['a password beside the URL', { url, password: 'secret' }],
    ['an object with a password', { url, auth: { password: 'secret' } }],
    ['a URL as host', { host: secret }],
    ['a reserved setting', { url, connection: { commandTimeout: secret } }],
    ['a client of node-redis', { evalSha: () => undefined, options: { url: secret } }],
  ])('does not show the password of %s', (_what, given) => {
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
