import { inspect } from 'node:util';
import { ConfigError } from '../../../core/src/model/errors.js';
import { redisStore } from '../redis-store.js';
import { checkOptions } from './redis-options.js';

describe('redisStore, options', () => {
  it('accept a Sentinel without a port, which has a default', () => {
    expect(() => checkOptions({ sentinels: [{ host: 'h' } as never], name: 'primary' }, [])).not.toThrow();
  });

  const url = 'redis://127.0.0.1:6379';
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
