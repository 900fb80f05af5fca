import { readFileSync } from 'node:fs';
import { hasSubscribers } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request as sendHttps } from 'node:https';
import { connect } from 'node:net';
import { credentials, status, type ChannelCredentials } from '@grpc/grpc-js';
import type { ServeOptions } from '@sluice/server';
import { whyNotSigned } from '../security/redis/certificates.js';
import { within } from '../support/within.js';
import { LIMITS } from './limits.js';
import { RateLimitClient } from './rate-limit-client.js';
import { ServiceCertificates } from './service-certificates.js';
import { withServers } from './with-server.js';

const TOKEN = 'a-token-of-the-tests';
const ENTRIES = [{ key: 'remote_address', value: '192.0.2.1' }];
const REQUEST = { domain: 'api', descriptors: [{ entries: ENTRIES }] };
const CHECK = { limiter: 'jobs', identities: { tenant: 'acme' } };

interface Identity {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const reason = whyNotSigned();

(reason === undefined ? describe : describe.skip)(
  `The service with TLS${reason === undefined ? '' : `: ${reason}`}`,
  () => {
    const start = withServers();
    let certificates: ServiceCertificates;

    beforeAll(async () => {
      certificates = await ServiceCertificates.make();
    });
    afterAll(() => certificates.remove());

    const trusting = (): Identity => ({ ca: certificates.authority.ca });
    const withClient = (which: 'client' | 'strangeClient'): Identity => ({
      ...trusting(),
      cert: readFileSync(certificates[which].cert, 'utf8'),
      key: readFileSync(certificates[which].key, 'utf8'),
    });

    async function open(options: Partial<ServeOptions>) {
      const { server } = await start(LIMITS, options);
      const { grpc, http } = server.ports;
      return {
        server,
        /** The code of a call, or that of its error. */
        call: async (identity: Identity | undefined, headers: Readonly<Record<string, string>> = {}) => {
          const client = new RateLimitClient(grpc!, channelOf(identity));
          const answer = await client.send(REQUEST, headers).then(
            ({ overall_code }) => overall_code,
            ({ code }: { code: status }) => status[code],
          );
          client.close();
          return answer;
        },
        /** The status of a request, or the code of its error. */
        check: (identity: Identity, headers: Readonly<Record<string, string>> = {}) =>
          statusOf(http!, identity, headers),
      };
    }

    it('answers clients that trust its authority, and no others', async () => {
      const { call, check } = await open({ tls: certificates.tls });
      const other = { ca: certificates.stranger.ca };

      expect(await call(trusting())).toBe('OK');
      expect(await check(trusting())).toBe(200);
      expect(await call(other)).toBe('UNAVAILABLE');
      expect(await check(other)).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY|CERT_SIGNATURE_FAILURE/);
      expect(await call(undefined)).toBe('UNAVAILABLE');
    });

    it('takes only clients with a certificate of the authority that it asks for', async () => {
      const { call, check } = await open({ tls: certificates.mutual });

      expect(await call(withClient('client'))).toBe('OK');
      expect(await check(withClient('client'))).toBe(200);
      for (const identity of [trusting(), withClient('strangeClient')]) {
        expect(await call(identity)).toBe('UNAVAILABLE');
        expect(await check(identity)).toEqual(expect.any(String));
      }
    });

    it('takes certificates that were renewed for connections from now on, and refuses a key of others', async () => {
      const { server, call, check } = await open({ tls: certificates.tls });
      const { cert, key } = certificates.tls;
      const theirs = certificates.tlsOfStranger;
      const others = { ca: certificates.stranger.ca };
      const before = [await call(others), await check(others)];

      expect(() => server.secure({ cert: theirs.cert, key })).toThrow(/tls: cert, key and clientCa must fit: .*key/);
      expect(() => server.secure({ cert } as never)).toThrow('key is missing');
      const kept = [await call(trusting()), await check(trusting())];
      server.secure(theirs);
      const after = [await call(others), await check(others), await call(trusting())];

      expect(before).toEqual(['UNAVAILABLE', expect.any(String)]);
      expect(kept).toEqual(['OK', 200]);
      expect(after).toEqual(['OK', 200, 'UNAVAILABLE']);
    });

    it('is refused for a certificate with the key of another, and leaves nothing behind', async () => {
      const { cert } = certificates.tls;
      const { key } = certificates.tlsOfStranger;

      await expect(open({ tls: { cert, key } })).rejects.toThrow(/tls: cert, key and clientCa must fit/);
      expect(hasSubscribers('sluice:decision')).toBe(false);
    });

    it('has no certificates to renew where it has started without', async () => {
      const { server } = await start(LIMITS);

      expect(() => server.secure(certificates.tls)).toThrow(/secure: tls was not given at the start/);
    });

    it('cuts a connection that does not greet in time', async () => {
      const { server } = await open({ tls: certificates.tls, bounds: { timeout: '200ms' } });

      const sockets = [server.ports.http!, server.ports.grpc!].map((port) => connect(port, '127.0.0.1'));
      const closed = sockets.map((socket) => once(socket.on('error', () => undefined).resume(), 'close'));

      await within(20_000, () => Promise.all(closed));
      expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
    });

    it('asks for its token beside the certificate', async () => {
      const { call, check } = await open({ tls: certificates.mutual, tokens: [TOKEN] });
      const identity = withClient('client');

      expect(await call(identity)).toBe('UNAUTHENTICATED');
      expect(await check(identity, { authorization: 'Basic YTpi' })).toBe(401);
      expect(await call(identity, { authorization: `Bearer ${TOKEN}` })).toBe('OK');
      expect(await check(identity, { authorization: `Bearer ${TOKEN}` })).toBe(200);
    });
  },
);

function channelOf(identity: Identity | undefined): ChannelCredentials {
  if (identity === undefined) return credentials.createInsecure();
  const [ca, key, cert] = [identity.ca, identity.key, identity.cert].map((text) => (text ? Buffer.from(text) : null));
  return credentials.createSsl(ca, key, cert);
}

function statusOf(port: number, identity: Identity, headers: Readonly<Record<string, string>>) {
  return new Promise<number | string>((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/check', method: 'POST', agent: false, ...identity };
    const request = sendHttps(
      { ...options, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode!);
      },
    );
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    request.end(JSON.stringify(CHECK));
  });
}
