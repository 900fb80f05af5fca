import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import * as fc from 'fast-check';
import { StoreError } from '../../../core/src/model/errors.js';
import { closedPort } from '../../../../test/support/listener.js';
import { replyError } from '../../../../test/support/manual-client.js';
import { changedNothing, classifyError, toStoreError, type Fault } from './classify-error.js';

const sha = '8a1c3e5f9b7d2046a8c0e1f3b5d79246810ace35';
const script = `script: ${sha}, on @user_script:1.`;

/** The error of Redis 6 for an error inside a script. */
const wrapped = (problem: string) =>
  `ERR Error running script (call to f_${sha}): @user_script:24: @user_script: 24: -${problem}`;

const replies: [fault: Fault, message: string][] = [
  ['infrastructure', `READONLY You can't write against a read only replica. ${script}`],
  ['infrastructure', "READONLY You can't write against a read only replica."],
  ['infrastructure', "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."],
  ['infrastructure', 'LOADING Redis is loading the dataset in memory'],
  ['infrastructure', `OOM command not allowed when used memory > 'maxmemory'. ${script}`],
  ['infrastructure', 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.'],
  ['infrastructure', 'UNKILLABLE Sorry the script already executed write commands against the dataset.'],
  ['infrastructure', 'CLUSTERDOWN The cluster is down'],
  ['infrastructure', 'CLUSTERDOWN Hash slot not served'],
  ['request', 'TRYAGAIN Multiple keys request during rehashing of slot'],
  ['infrastructure', 'NOREPLICAS Not enough good replicas to write.'],
  ['infrastructure', 'MISCONF Redis is configured to save RDB snapshots, but is unable to persist to disk.'],
  ['infrastructure', 'ERR max number of clients reached'],
  ['infrastructure', wrapped("READONLY You can't write against a read only replica.")],
  ['infrastructure', wrapped("OOM command not allowed when used memory > 'maxmemory'.")],
  ['infrastructure', wrapped('MISCONF Redis is configured to save RDB snapshots.')],
  ['configuration', "NOPERM this user has no permissions to run the 'eval' command"],
  ['configuration', 'NOPERM this user has no permissions to access one of the keys used as arguments'],
  ['configuration', wrapped("NOPERM this user has no permissions to run the 'get' command")],
  ['configuration', 'WRONGPASS invalid username-password pair or user is disabled.'],
  ['configuration', 'NOAUTH Authentication required.'],
  ['configuration', "ERR unknown command 'evalsha', with args beginning with: 'a' '1'"],
  ['configuration', 'ERR unknown command `EVALSHA`, with args beginning with: `a`'],
  ['configuration', `SLUICE_UNSUPPORTED Redis 7.0 or Valkey 7.2 or later is needed ${script}`],
  ['request', `WRONGTYPE Operation against a key holding the wrong kind of value ${script}`],
  ['request', wrapped('WRONGTYPE Operation against a key holding the wrong kind of value')],
  ['request', "CROSSSLOT Keys in request don't hash to the same slot"],
  ['request', 'NOSCRIPT No matching script. Please use EVAL.'],
  ['request', `ERR user_script:12: attempt to compare nil with number ${script}`],
  ['request', `ERR value is not an integer or out of range ${script}`],
  ['request', "ERR Number of keys can't be negative"],
];

const connections: [fault: Fault, message: string, properties: object][] = [
  ['infrastructure', 'connect ECONNREFUSED 127.0.0.1:6379', { code: 'ECONNREFUSED' }],
  ['infrastructure', 'connect ETIMEDOUT', { code: 'ETIMEDOUT' }],
  ['infrastructure', 'read ECONNRESET', { code: 'ECONNRESET' }],
  ['infrastructure', 'write EPIPE', { code: 'EPIPE' }],
  ['infrastructure', 'connect EHOSTUNREACH 10.0.0.1:6379', { code: 'EHOSTUNREACH' }],
  ['infrastructure', 'getaddrinfo ENOTFOUND redis.example', { code: 'ENOTFOUND' }],
  ['infrastructure', 'getaddrinfo EAI_AGAIN redis.example', { code: 'EAI_AGAIN' }],
  ['infrastructure', 'Connection is closed.', {}],
  ['infrastructure', 'Command timed out', {}],
  ['infrastructure', "Socket timeout. Expecting data, but didn't receive any in 2000ms.", {}],
  ['infrastructure', "Stream isn't writeable and enableOfflineQueue options is false", {}],
  ['infrastructure', "Cluster isn't ready and enableOfflineQueue options is false", {}],
  ['request', 'Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:7000', {}],
  ['infrastructure', 'Failed to refresh slots cache.', { name: 'ClusterAllFailedError' }],
  ['infrastructure', 'None of startup nodes is available', {}],
  ['infrastructure', 'All sentinels are unreachable. Retrying from scratch after 50ms.', {}],
  [
    'infrastructure',
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest" option for details.',
    { name: 'MaxRetriesPerRequestError' },
  ],
  ['configuration', 'write EPROTO', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
  ['configuration', 'packet length too long', { code: 'ERR_SSL_PACKET_LENGTH_TOO_LONG' }],
  ['configuration', 'certificate has expired', { code: 'CERT_HAS_EXPIRED' }],
  ['configuration', 'self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['configuration', 'self-signed certificate in certificate chain', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }],
  ['configuration', 'unable to verify the first certificate', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
  ['configuration', 'unable to get local issuer certificate', { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }],
  ['configuration', "Hostname/IP does not match certificate's altnames", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
];

describe('classifyError', () => {
  it.each(replies)('returns %s for a reply: %s', (fault, message) => {
    expect(classifyError(replyError(message))).toBe(fault);
    // A client other than ioredis may not mark its replies.
    expect(classifyError(new Error(message))).toBe(fault);
  });

  it.each(connections)('returns %s for a connection: %s', (fault, message, properties) => {
    expect(classifyError(Object.assign(new Error(message), properties))).toBe(fault);
  });

  const code = fc.constantFrom(
    'READONLY',
    'OOM',
    'BUSY',
    'LOADING',
    'MASTERDOWN',
    'CLUSTERDOWN',
    'TRYAGAIN',
    'MISCONF',
  );
  const text = fc
    .array(fc.oneof(code, fc.constantFrom(' ', '-', '\r\n', "'", ': ', '@user_script:1.'), fc.string()))
    .map((parts) => parts.join(''));

  it('ignores codes in arguments that a server quotes', () => {
    fc.assert(
      fc.property(text, (quoted) => {
        const unknown = replyError(`ERR unknown command 'evalsha', with args beginning with: '${sha}' '1' '${quoted}'`);

        expect(classifyError(unknown)).toBe('configuration');
      }),
    );
  });

  it('ignores codes that are far behind the first word', () => {
    expect(classifyError(replyError(`WRONGTYPE Operation ${'.'.repeat(200)} READONLY`))).toBe('request');
  });
});

describe('changedNothing', () => {
  it.each([
    [true, "NOPERM this user has no permissions to run the 'evalsha' command"],
    [true, "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'"],
    [true, "READONLY You can't write against a read only replica."],
    [true, "ERR unknown command 'evalsha', with args beginning with: 'key'"],
    [false, "OOM command not allowed when used memory > 'maxmemory'. script: 12ab, on @user_script:9."],
    [false, "ERR ACL failure in script: User limiter has no permissions to run the 'zadd' command script: 12ab"],
    [false, 'ERR value is not an integer or out of range script: 12ab, on @user_script:9.'],
  ])('returns %s for a reply: %s', (expected, message) => {
    expect(changedNothing(toStoreError(new Error(message)))).toBe(expected);
  });

  it('returns false for a call without a reply', () => {
    expect(changedNothing(new StoreError('STORE_UNAVAILABLE', 'Redis could not answer: no reply within 50 ms'))).toBe(
      false,
    );
  });
});

describe('toStoreError', () => {
  it('keeps the name, the message and the code, and removes the command', () => {
    const reported = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), {
      code: 'ECONNREFUSED',
      command: { name: 'auth', args: ['hunter2'] },
    });

    const { code: storeCode, cause } = toStoreError(reported);

    expect(storeCode).toBe('STORE_UNAVAILABLE');
    expect(cause).toMatchObject({ name: 'Error', message: reported.message, code: 'ECONNREFUSED' });
    expect(cause).not.toHaveProperty('command');
  });

  it('names the problem of each address of a host', async () => {
    const port = await closedPort();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const lookup: LookupFunction = (_host, _options, resolve) => resolve(null, addresses);
    const socket = connect({ host: 'redis.example', port, lookup, autoSelectFamily: true });
    const [reported] = (await once(socket, 'connect').catch((error: unknown) => [error])) as [Error];

    expect(reported.message).toBe('');
    expect(toStoreError(reported).message).toBe(
      `Redis could not answer: connect ECONNREFUSED 127.0.0.1:${port}, connect ECONNREFUSED 127.0.0.2:${port}`,
    );
  });

  it('adds no code to an error without one', () => {
    expect(toStoreError(new Error('OOM')).cause).not.toHaveProperty('code');
  });

  it('removes quoted arguments from both messages', () => {
    const error = toStoreError(new Error("ERR unknown command 'EVALSHA', with args beginning with: 'rl:a'"));

    expect(error.message).toBe("Redis could not answer: ERR unknown command 'EVALSHA'");
    expect(error.cause).toMatchObject({ message: "ERR unknown command 'EVALSHA'" });
  });

  it('says of a command that ioredis does not write that the connection was lost, and names no option of ioredis', () => {
    const { message } = toStoreError(new Error("Stream isn't writeable and enableOfflineQueue options is false"));

    expect(message).toBe('Redis could not answer: the connection was lost');
  });

  it('removes the random wait of ioredis, so that one problem has one text', () => {
    const waits = ['589.6331562978335', '50'].map(
      (wait) =>
        toStoreError(
          new Error(
            `All sentinels are unreachable. Retrying from scratch after ${wait}ms. Last error: connect ECONNREFUSED 127.0.0.1:26379`,
          ),
        ).message,
    );

    expect(new Set(waits)).toEqual(
      new Set([
        'Redis could not answer: All sentinels are unreachable. Last error: connect ECONNREFUSED 127.0.0.1:26379',
      ]),
    );
  });

  it('removes the command from nested causes', () => {
    const inner = Object.assign(new Error('NOAUTH'), { command: { name: 'auth', args: ['hunter2'] } });

    const { cause } = toStoreError(new Error('the wrapper failed', { cause: inner }));

    expect((cause as Error).cause).toMatchObject({ message: 'NOAUTH' });
    expect((cause as Error).cause).not.toHaveProperty('command');
  });
});
