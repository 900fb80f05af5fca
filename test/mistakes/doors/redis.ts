import { redisStore } from '@sluice/redis';
import type { Door, Mistake } from '../door.js';

const url = 'redis://127.0.0.1:6379';
const sentinels = [{ host: '127.0.0.1', port: 26_379 }];
const port = 'must be an integer from 1 to 65535, such as Number(process.env.PORT)';
const host = 'must be the name of a host';
const array = 'must be an array of URLs';

const misspellings: readonly (readonly [wrong: string, right: string])[] = [
  ['pasword', 'password'],
  ['passwrod', 'password'],
  ['Username', 'username'],
  ['dbs', 'db'],
  ['tlss', 'tls'],
  ['sentinelPasword', 'sentinelPassword'],
];

/** Members of a node of a Cluster, and of a Sentinel. */
const wrongServers: readonly (readonly [server: object, member: string, words: string])[] = [
  [{ host: undefined, port: Number.NaN }, 'host', 'is missing: it must be the name of a host'],
  [{ host: '', port: 6379 }, 'host', `${host}, got empty text`],
  [{}, 'host', 'is missing: it must be the name of a host'],
  [{ host: 'h', port: Number.NaN }, 'port', `${port}: the variable that it is read from is not set`],
  [{ host: 'h', port: '6379' }, 'port', 'must be a number, not text: write Number(process.env.NAME)'],
  [{ host: 'h', port: 65_536 }, 'port', `${port}, got a number`],
];

const server: Door = {
  name: 'redisStore of a server',
  owner: 'redisStore: ',
  // A URL may hold a password.
  values: 'hidden',
  make: redisStore,
  mistakes: [
    ['OPTION_INVALID', 'url', 'is one of url, sentinels, cluster: pass exactly one, got none', {}],
    ['OPTION_INVALID', 'url', 'is undefined: set the variable that it is read', { url: undefined }],
    ['OPTION_INVALID', 'url', 'is empty: set the variable that it is read from', { url: '' }],
    ['OPTION_INVALID', 'cluster', 'is undefined: set the variable', { cluster: undefined }],
    ['OPTION_INVALID', 'url', 'https:// is a REST API, such as that of Upstash', { url: 'https://h' }],
    ['OPTION_UNKNOWN', 'token', "of Upstash: use url: 'rediss://default:", { url: 'https://h', token: 'x' }],
    ['OPTION_INVALID', 'cluster', 'exactly one, got url and cluster', { url, cluster: [url] }],
    [
      'OPTION_INVALID',
      'client',
      'an ioredis client or options such as { url }: write redisStore({ url }), got a string',
      url,
    ],
    ['OPTION_UNKNOWN', 'client', 'pass the client itself: redisStore(client)', { client: {} }],
    ['OPTION_INVALID', 'client', 'got undefined', undefined],
    ['OPTION_INVALID', 'client', 'got null', null],
    ['OPTION_UNKNOWN', 'uri', 'use url, sentinels, cluster, name, connection', { uri: url }],
    ['OPTION_UNKNOWN', 'host', "use url: 'redis://host:port'", { host: 'h' }],
    ['OPTION_UNKNOWN', 'password', 'connection: { password }', { url, password: 'x' }],
    ['OPTION_UNKNOWN', 'deadline', 'argument: redisStore({ … }, { deadline })', { url, deadline: 20 }],
    [
      'OPTION_UNKNOWN',
      'connectDeadline',
      'belongs in the second argument: redisStore({ … }, { connectDeadline })',
      { url, connectDeadline: 20 },
    ],
    ...misspellings.map(([wrong, right]): Mistake => [
      'OPTION_UNKNOWN',
      `connection.${wrong}`,
      `is not an option of ioredis: did you mean ${right}?`,
      { url, connection: { [wrong]: 'x' } },
    ]),
    ['OPTION_INVALID', 'client', 'an object with evalsha', { evalSha: () => undefined }],
    ['OPTION_INVALID', 'url', 'must begin with redis:// or rediss://', { url: 'http://h' }],
    ['OPTION_INVALID', 'url', 'connection: { path }', { url: 'redis:///tmp/redis.sock' }],
    ['OPTION_INVALID', 'url', 'must be a URL such as', { url: 'redis://u:p@h:99999' }],
    ['OPTION_INVALID', 'url', 'percent-encode special characters of the password', { url: 'redis://:pass#word@h' }],
    ['OPTION_INVALID', 'url', '% in a user or password', { url: 'redis://u:p%zz@h' }],
    ['OPTION_INVALID', 'cluster[1]', 'must be a URL', { cluster: [url, 'redis://h:x'] }],
    ['OPTION_INVALID', 'url', 'got a number', { url: 6379 }],
    ['OPTION_INVALID', 'cluster', array, { cluster: [] }],
    ['OPTION_INVALID', 'cluster', array, { cluster: null }],
    ['OPTION_INVALID', 'sentinels', 'must be an array', { sentinels: [], name: 'primary' }],
    ['OPTION_INVALID', 'sentinels', 'must be an array', { sentinels: null, name: 'primary' }],
    ['OPTION_INVALID', 'cluster[1]', 'is missing: it must be a URL or { host, port }', { cluster: [url, undefined] }],
    ['OPTION_INVALID', 'cluster[0].port', 'is missing: it must be an integer', { cluster: [{ host: 'h' }] }],
    ['OPTION_INVALID', 'cluster[0]', 'is empty: set the variable that it is read from', { cluster: [''] }],
    ['OPTION_INVALID', 'cluster[0]', 'must be a URL or { host, port }, got a number', { cluster: [6379] }],
    [
      'OPTION_INVALID',
      'sentinels[0]',
      'is missing: it must be { host, port }',
      { sentinels: [undefined], name: 'primary' },
    ],
    ...wrongServers.flatMap(([wrong, member, words]): Mistake[] => [
      ['OPTION_INVALID', `cluster[0].${member}`, words, { cluster: [wrong] }],
      ['OPTION_INVALID', `sentinels[0].${member}`, words, { sentinels: [wrong], name: 'primary' }],
    ]),
    ['OPTION_INVALID', 'name', 'must name the group of the sentinels', { sentinels }],
    ['OPTION_INVALID', 'name', 'with sentinels, got a string', { url, name: 'primary' }],
    ['OPTION_INVALID', 'connection', 'must be an object', { url, connection: true }],
    [
      'OPTION_INVALID',
      'connection.commandTimeout',
      'connection.commandTimeout is set by the store: remove it, got 9',
      { url, connection: { commandTimeout: 9 } },
    ],
  ],
};

const deadline = "deadline must be a duration from 1 ms to 10 s, such as 50 or '50ms', got";

const settings: Door = {
  name: 'redisStore with settings',
  owner: 'redisStore: ',
  make: (wrong: object) => redisStore({ url }, wrong),
  mistakes: [
    ['OPTION_INVALID', 'deadline', `${deadline} 0`, { deadline: 0 }],
    ['OPTION_INVALID', 'deadline', `${deadline} 10001`, { deadline: 10_001 }],
    ['OPTION_INVALID', 'deadline', `${deadline} NaN`, { deadline: Number.NaN }],
    ['OPTION_INVALID', 'deadline', `${deadline} "11s"`, { deadline: '11s' }],
    ['OPTION_INVALID', 'deadline', `${deadline} null`, { deadline: null }],
    ['OPTION_INVALID', 'deadline', `${deadline} an object`, { deadline: {} }],
    ['OPTION_INVALID', 'deadline', "write '0.5s' for seconds, got 0.5", { deadline: 0.5 }],
    ['OPTION_INVALID', 'deadline', "in ms, s, m, h, d or w, such as 50 or '50ms', got", { deadline: 'soon' }],
    ['OPTION_UNKNOWN', 'deadlin', 'did you mean deadline?', { deadlin: 50 }],
    ['OPTION_UNKNOWN', 'timeout', 'timeout', { timeout: 50 }],
  ],
};

export const redis: readonly Door[] = [server, settings];
