import { status } from '@grpc/grpc-js';
import { callWith, framed } from './hostile/grpc-call.js';
import { withServers } from './with-server.js';

const LIMITS = `
version: 1
limiters:
  api:
    tiers:
      - { name: tenant, key: tenant, limit: { pro: 9, otherwise: 2 }, window: 1h, algorithm: fixed-window }
      - { name: pair, key: pair, limit: 2, window: 1h, algorithm: fixed-window }
      - { name: header, key: 'header:x-team', limit: 2, window: 1h, algorithm: fixed-window }
      - { name: api-key, key: api-key, limit: 2, window: 1h, algorithm: fixed-window }
      - { name: session, key: session, limit: 2, window: 1h, algorithm: fixed-window }
      - { name: subject, key: jwt-subject, limit: 2, window: 1h, algorithm: fixed-window }
      - { name: ip, key: ip, limit: 2, window: 1h, algorithm: fixed-window }
extensions:
  server:
    identities: [tenant, pair]
    descriptors:
      - { tier: tenant, from: [tenant] }
      - { tier: tenant, from: [tenant, plan], plan: plan }
      - { tier: pair, from: [team, member] }
      - { tier: header, from: [x_team] }
      - { tier: api-key, from: [api_key] }
      - { tier: session, from: [session] }
      - { tier: subject, from: [iss, sub] }
      - { tier: ip, from: [remote_address] }
`;

/** The entries of a descriptor, of which the client has chosen this value. */
const DESCRIPTORS: Readonly<Record<string, (value: Buffer) => Readonly<Record<string, Buffer | string>>>> = {
  tenant: (value) => ({ tenant: value }),
  pair: (value) => ({ team: 'core', member: value }),
  header: (value) => ({ x_team: value }),
  'api-key': (value) => ({ api_key: value }),
  session: (value) => ({ session: value }),
  subject: (value) => ({ iss: value, sub: value }),
  ip: (value) => ({ remote_address: value }),
};

const VALUES: Readonly<Record<string, Buffer>> = {
  'no text': Buffer.alloc(0),
  'a text of 20 000 characters': Buffer.alloc(20_000, 'x'),
  'bytes that are not UTF-8': Buffer.from([0xff, 0xfe, 0x41]),
};

describe('A value that a client chooses', () => {
  const start = withServers();

  // An error would let the request pass: Envoy does so by default.
  it.each(Object.entries(VALUES))(
    'is counted by tiers of all keys, and denied above the limit: %s',
    async (_what, value) => {
      const { server } = await start(LIMITS);
      const codesOf = async (entries: Readonly<Record<string, Buffer | string>>) => {
        const codes = [];
        for (let count = 0; count < 3; count += 1) {
          const { status: code, reply } = await callWith(server.ports.grpc!, callOf(entries));
          codes.push(code === status.OK ? reply![1] : `error ${code}`);
        }
        return codes;
      };

      const codes = await Promise.all(
        Object.entries(DESCRIPTORS).map(async ([tier, entriesOf]) => [tier, await codesOf(entriesOf(value))]),
      );

      const { OK, OVER_LIMIT } = { OK: 1, OVER_LIMIT: 2 };
      expect(codes).toEqual(Object.keys(DESCRIPTORS).map((tier) => [tier, [OK, OK, OVER_LIMIT]]));
    },
  );

  it('shares no budget with a value that can be read', async () => {
    const { server, client } = await start(LIMITS);
    for (let count = 0; count < 3; count += 1) await callWith(server.ports.grpc!, callOf({ tenant: '' }));

    const { statuses } = await client.check('api', { tenant: 'acme' });

    expect(statuses[0]!.limit_remaining).toBe(1);
  });

  it('counts for the address of its request where a descriptor of it says so', async () => {
    const { client } = await start(LIMITS);
    const check = (remote_address: string) => client.check('api', { tenant: '' }, { remote_address });

    const first = await check('192.0.2.1');
    const other = await check('192.0.2.2');

    expect([first, other].map(({ statuses }) => statuses[0]!.limit_remaining)).toEqual([1, 1]);
  });

  it.each(['', 'gold'])('has the limit of no plan for the plan "%s"', async (plan) => {
    const { client } = await start(LIMITS);

    const { statuses } = await client.check('api', { tenant: 'acme', plan });

    expect(statuses[0]!.current_limit!.requests_per_unit).toBe(2);
  });
});

/** A request of one descriptor, whose values may be no text. */
function callOf(entries: Readonly<Record<string, Buffer | string>>): Buffer {
  const parts = Object.entries(entries).map(([key, value]) =>
    field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))])),
  );
  return framed(Buffer.concat([field(1, Buffer.from('api')), field(2, Buffer.concat(parts))]));
}

/** Bytes under the number of their field. */
function field(number: number, bytes: Buffer): Buffer {
  const head = [number * 8 + 2];
  let rest = bytes.length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) head.push(128 + (rest % 128));
  return Buffer.concat([Buffer.from([...head, rest]), bytes]);
}
