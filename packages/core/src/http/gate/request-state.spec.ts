import { Socket } from 'node:net';

import { createLimiter, type Limiter } from '../../limiter/limiter.js';
import type { KeyFunction } from '../../limiter/key-function.js';
import { byApiKey } from '../keys/api-key.js';
import { compose } from '../keys/compose.js';
import { byIp } from '../keys/ip.js';
import type { HeaderFormat } from '../headers/header-format.js';
import { rawAddress, enterState, stateOf } from './request-state.js';
import type { HttpRequest } from '../request.js';

const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

describe('a passage', () => {
  it('begins when a request comes to its first gate, and is the same at all others', () => {
    const request = { ip: '192.0.2.1' };
    const before = stateOf(request);

    const passage = enterState(request);

    expect(before).toBeUndefined();
    expect(enterState(request)).toBe(passage);
    expect(stateOf(request)).toBe(passage);
    expect(stateOf({ ip: '192.0.2.1' })).toBeUndefined();
  });

  it.each([undefined, null, 5, 'request'])('is none of %p', (subject) => {
    expect(stateOf(subject)).toBeUndefined();
  });

  it('reads the address when it begins, once: later the client may have gone', () => {
    const told = ['::ffff:192.0.2.1', undefined];
    const reads: unknown[] = [];
    const request = {
      get ip(): string | undefined {
        reads.push('read');
        return told.shift();
      },
    };

    const passage = enterState(request);
    enterState(request);

    expect([passage.readAddress(), passage.readAddress()]).toEqual(['::ffff:192.0.2.1', '::ffff:192.0.2.1']);
    expect(reads).toHaveLength(1);
  });

  describe('of Express', () => {
    const symbolsOf = (object: object) => Object.getOwnPropertySymbols(object);

    it('is kept in the locals, and adds nothing to the request', () => {
      const request = { ip: '192.0.2.1', res: { locals: {} } };

      const passage = enterState(request);

      expect([enterState(request), stateOf(request)]).toEqual([passage, passage]);
      expect([symbolsOf(request).length, symbolsOf(request.res.locals).length]).toEqual([0, 1]);
    });

    it('leaves a copy of the request its own, whichever comes first', () => {
      const request = { ip: '192.0.2.1', res: { locals: {} } };
      const copy = { ...request, ip: '192.0.2.2' };

      const passages = [enterState(request), enterState(copy)];

      expect(passages.map((each) => each.readAddress())).toEqual(['192.0.2.1', '192.0.2.2']);
      expect([stateOf(request), stateOf(copy)].map((each, index) => each === passages[index])).toEqual([true, true]);
    });

    it.each([undefined, null, Object.freeze({}), 'locals'])(
      'is kept on the request where its locals are %p',
      (locals) => {
        const request = { ip: '192.0.2.1', res: { locals } };

        const passage = enterState(request);

        expect(stateOf(request)).toBe(passage);
      },
    );
  });

  describe('over a socket', () => {
    const socketOf = (remoteAddress: string | undefined): Socket =>
      Object.create(Socket.prototype, { remoteAddress: { value: remoteAddress } }) as Socket;
    const requestOver = (httpVersionMajor: number, socket: Socket) => {
      const reads: string[] = [];
      const request = {
        httpVersionMajor,
        socket,
        get ip(): string {
          reads.push('read');
          return '192.0.2.1';
        },
      };
      return { request, reads };
    };

    it('reads the address when it is asked for: a socket that was asked for its peer knows it for good', () => {
      const { request, reads } = requestOver(1, socketOf('192.0.2.1'));

      const passage = enterState(request);
      const before = reads.length;

      expect([passage.readAddress(), passage.readAddress(), before, reads.length]).toEqual([
        '192.0.2.1',
        '192.0.2.1',
        0,
        1,
      ]);
    });

    it.each<[string, number, string | undefined]>([
      ['over HTTP/2, where the socket is gone with the request', 2, '192.0.2.1'],
      ['that tells no address', 1, undefined],
    ])('reads it at once %s', (_where, version, remoteAddress) => {
      const { request, reads } = requestOver(version, socketOf(remoteAddress));

      enterState(request);

      expect(reads).toHaveLength(1);
    });
  });

  it('is that of one request, and of no copy that has another address', () => {
    const request: HttpRequest = { ip: '192.0.2.1' };
    enterState(request);

    const copies = [{ ...request, ip: '192.0.2.2' }, Object.assign(Object.create(request), { ip: '192.0.2.2' })];

    expect(copies.map(byIp())).toEqual(copies.map(() => ({ kind: 'ip', parts: ['192.0.2.2'] })));
  });

  it('knows all decisions in their order, and those that headers tell of', async () => {
    const passage = enterState({ ip: '192.0.2.1' });
    const [quiet, loud] = [await counted(byIp()), await countedIn(['x-ratelimit'], byIp())];

    passage.count(quiet);
    passage.count(loud);

    expect(passage.counted).toEqual([quiet, loud]);
    expect(passage.announced).toEqual([loud]);
  });

  it('knows all dialects in which a gate tells limits', async () => {
    const passage = enterState({ ip: '192.0.2.1' });

    passage.count(await countedIn(['x-ratelimit', 'draft-11'], byIp()));
    passage.count(await countedIn(['x-ratelimit'], byIp()));

    expect(passage.dialects).toEqual(['x-ratelimit', 'draft-11']);
  });

  it('keeps to the draft of the first gate that has one, for they all have RateLimit-Policy', async () => {
    const passage = enterState({ ip: '192.0.2.1' });

    passage.count(await countedIn(['draft-7'], byIp()));
    passage.count(await countedIn(['draft-11', 'x-ratelimit'], byIp()));

    expect(passage.dialects).toEqual(['draft-7', 'x-ratelimit']);
  });
});

describe('the warnings of a passage', () => {
  beforeEach(() => warnings.mockClear());

  const presented = byApiKey();

  it.each<[string, ...KeyFunction<HttpRequest>[]]>([
    ['addresses alone', byIp()],
    ['keys and addresses', presented, byIp()],
    ['keys, and addresses that are read elsewhere', presented, byIp({ from: () => '192.0.2.1' })],
    ['verified keys', byApiKey({ from: () => 17 })],
    [
      'keys, and a function that counts addresses by its own word',
      presented,
      Object.assign(() => 'a', { bounds: 'address' } as const),
    ],
  ])('are none for a limiter of %s', async (_what, ...keys) => {
    const passage = enterState({ ip: '192.0.2.1' });

    passage.count(await counted(...keys));

    expect(codes()).toEqual([]);
  });

  it('are none for keys behind a limiter of addresses', async () => {
    const passage = enterState({ ip: '192.0.2.1' });

    passage.count(await counted(byIp()));
    passage.count(await counted(presented));

    expect(codes()).toEqual([]);
  });

  it('tell of API keys that are counted, and no address beside them or in front of them', async () => {
    const passage = enterState({ ip: '192.0.2.1' });
    // In a combination each new key has a new budget too.
    const combined = compose(byIp(), presented);

    passage.count(await counted(() => 'ada'));
    passage.count(await counted(presented, combined, () => 'ada'));
    const before = codes();
    passage.count(await counted(byIp()));

    expect([before, codes()]).toEqual([['SLUICE_UNBOUNDED_API_KEYS'], ['SLUICE_UNBOUNDED_API_KEYS']]);
  });

  it('tell of a limiter that counts a request twice', async () => {
    const passage = enterState({ ip: '192.0.2.1' });
    const once = await counted(byIp());

    passage.count(once);
    passage.count(await counted(byIp()));
    const before = codes();
    passage.count(once);

    expect(before).toEqual([]);
    expect(codes()).toEqual(['SLUICE_COUNTED_TWICE']);
  });
});

describe('addressTold', () => {
  const socket = { remoteAddress: '10.0.0.1' };

  it.each<[string, HttpRequest, string | undefined]>([
    ['that of the framework', { ip: '192.0.2.1', socket }, '192.0.2.1'],
    ['that of the framework where it is none', { ip: undefined, socket }, undefined],
    ['that of a framework whose requests inherit it', Object.create({ ip: '192.0.2.1' }) as HttpRequest, '192.0.2.1'],
    ["the peer's where there is no framework", { socket }, '10.0.0.1'],
    ['none where there is no socket', {}, undefined],
  ])('is %s', (_what, request, address) => {
    expect(rawAddress(request)).toBe(address);
  });
});

/** A decision by tiers with these keys. */
async function counted(...keys: KeyFunction<HttpRequest>[]) {
  return countedIn([], ...keys);
}

async function countedIn(dialects: readonly HeaderFormat[], ...keys: KeyFunction<HttpRequest>[]) {
  const tiers = keys.map((key, index) => ({ name: `tier ${index}`, key, limit: 5, window: '1m' }) as const);
  const limiter = createLimiter<HttpRequest>({ tiers });
  const decision = await limiter.consume({ ip: '192.0.2.1' });
  return { gate: {}, limiter: limiter as Limiter<never>, decision, dialects };
}

function codes(): unknown[] {
  return warnings.mock.calls.map(([, options]) => (options as { code?: unknown } | undefined)?.code);
}
