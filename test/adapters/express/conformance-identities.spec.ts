import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect } from 'node:net';
import { rateLimit } from '@sluice/express';
import { served, versions } from './frameworks.js';
import { statusesOf } from './fields.js';
import { siteOpener } from './site.js';

const LIMIT = 100;

describe.each(versions)('The client that %s counts', (_version, express) => {
  const open = siteOpener();
  let folder: string;

  beforeAll(async () => {
    // Settings and addresses that deserve a warning are what these tests are about.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    folder = await mkdtemp(join(tmpdir(), 'sluice-express-'));
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  /** A site, and what an address has spent there; without one, what those have whose address cannot be read. */
  const counting = async (trust: unknown, socketPath?: string) => {
    const gate = rateLimit({ limit: LIMIT, window: '1h' });
    const app = served(express, gate);
    app.set('trust proxy', trust);
    const site = await open(app, socketPath);
    const spent = async (ip?: string) => {
      const [inspection] = await gate.limiter.inspect({ ip });
      return LIMIT - inspection!.outcome.remaining;
    };
    return { site, spent };
  };
  const from = (told: string) => ({ headers: { 'X-Forwarded-For': told } });

  describe('C48 where the next hop is at 127.0.0.1', () => {
    const peer = '127.0.0.1';
    const other = '203.0.113.9';
    const claimed = '6.6.6.6';

    it.each<[setting: unknown, alone: string, behindOther: string]>([
      [false, peer, peer],
      [undefined, peer, peer],
      [true, claimed, claimed],
      [1, claimed, other],
      [2, claimed, claimed],
      ['loopback', claimed, other],
      ['127.0.0.0/8', claimed, other],
      [['loopback', other], claimed, claimed],
      ['10.0.0.0/8', peer, peer],
      [(address: string) => address === peer, claimed, other],
    ])('and trust proxy is %p, it is %s, and %s with another address behind', async (trust, alone, behindOther) => {
      const one = await counting(trust);
      await one.site.ask(from(claimed));
      const two = await counting(trust);
      await two.site.ask(from(`${claimed}, ${other}`));

      expect(await one.spent(alone)).toBe(1);
      expect(await two.spent(behindOther)).toBe(1);
    });

    it.each([[false], ['10.0.0.0/8']])('and trust proxy is %p, no claim gets a budget of its own', async (trust) => {
      const { site, spent } = await counting(trust);

      await site.askEach(Array.from({ length: 20 }, (_, index) => from(`198.51.100.${index}`)));

      expect(await spent(peer)).toBe(20);
    });

    it.each([[1], ['loopback']])(
      'and trust proxy is %p, what a client claims before its proxy gets none',
      async (trust) => {
        const { site, spent } = await counting(trust);

        await site.askEach(Array.from({ length: 20 }, (_, index) => from(`198.51.100.${index}, ${other}`)));

        expect(await spent(other)).toBe(20);
      },
    );

    it.each(['garbage<script>', 'unknown', 'a'.repeat(64), '[', '1.2.3'])(
      'and it tells %j, which is no address, the client is one of those who share one budget',
      async (told) => {
        const { site, spent } = await counting(1);

        const { status } = await site.ask(from(told));

        expect(status).toBe(200);
        expect(await spent()).toBe(1);
      },
    );
  });

  it.each([
    ['1.2.3.4', ['1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304', '0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4:443']],
    [
      '2001:db8:1234:5678::',
      ['2001:db8:1234:5678::1.2.3.4', '2001:DB8:1234:5678:0:0:0:1', '[2001:db8:1234:5678::2]:80'],
    ],
  ])('C46 C47 is %s in every spelling', async (address, spellings) => {
    const { site, spent } = await counting(1);

    await site.askEach(spellings.map(from));

    expect(await spent(address)).toBe(spellings.length);
  });

  it('C46 C47 is another for another IPv4 address, and for another /64', async () => {
    const { site, spent } = await counting(1);
    const addresses = ['::ffff:1.2.3.4', '::ffff:5.6.7.8', '2001:db8:0:1::1', '2001:db8:0:2::1'];

    await site.askEach(addresses.map(from));

    expect(await Promise.all(addresses.map(spent))).toEqual([1, 1, 1, 1]);
  });

  it.each<[setting: unknown, address: string | undefined]>([
    [false, undefined],
    ['loopback', undefined],
    [1, '6.6.6.6'],
    [true, '6.6.6.6'],
  ])('C49 on a Unix socket, where trust proxy is %p, is %p', async (trust, address) => {
    const { site, spent } = await counting(trust, join(folder, `${Math.random()}.sock`));

    const answers = await site.askEach([from('6.6.6.6'), from('6.6.6.6')]);

    expect(statusesOf(answers)).toEqual([200, 200]);
    expect(await spent(address)).toBe(2);
  });

  it('C49 on a Unix socket shares one budget with all others there, and is denied when it is spent', async () => {
    const site = await open(served(express, rateLimit({ limit: 1, window: '1h' })), join(folder, 'one.sock'));

    const answers = await site.askEach([from('6.6.6.6'), from('7.7.7.7')]);

    expect(statusesOf(answers)).toEqual([200, 429]);
  });

  it('C49 is one of those who share one budget where it has left before anybody asked for its address', async () => {
    const gate = rateLimit({ limit: LIMIT, window: '1h' });
    let passed = () => {};
    const counted = new Promise<void>((resolve) => {
      passed = resolve;
    });
    const errors: unknown[] = [];
    const site = await open(
      served(
        express,
        (request, _response, next) => {
          socket.destroy();
          request.once('close', () => next());
        },
        gate,
        (_request, _response, next) => {
          passed();
          next();
        },
      ).use((error: unknown, _request: unknown, _response: unknown, next: (error: unknown) => void) => {
        errors.push(error);
        next(error);
      }),
    );
    const socket = connect(site.address as { host: string; port: number });
    await once(socket, 'connect');

    socket.write('GET / HTTP/1.1\r\nHost: site\r\n\r\n');
    await counted;

    const [inspection] = await gate.limiter.inspect({ ip: undefined });
    expect(LIMIT - inspection!.outcome.remaining).toBe(1);
    expect(errors).toEqual([]);
  });

  it.each(['/API/x', '/api/x/', '/api/%78', '/api/x?y=1', '/Api/X//', '/api//x'])(
    'C50 has the budget of the route also where it asks for %s',
    async (path) => {
      const app = express();
      const gate = rateLimit({ limit: 2, window: '1h' });
      app.use('/api', gate, (_request, response) => void response.send('served'));
      const site = await open(app);

      const answers = await site.askEach([{ path: '/api/x' }, { path }, { path }]);

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
    },
  );

  it('C50 has one budget of a route with parameters, whatever they are', async () => {
    const app = express();
    app.get('/items/:id', rateLimit({ limit: 3, window: '1h' }), (_request, response) => void response.send('served'));
    const site = await open(app);

    const paths = ['/items/1', '/ITEMS/2', '/items/%33/', '/items/4'];
    const answers = await site.askEach(paths.map((path) => ({ path })));

    expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  });
});
