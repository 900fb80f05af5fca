import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rateLimit } from '@sluice/express';
import { statusesOf } from '../../support/responses.js';
import { siteOpener } from '../../support/site.js';
import { versions } from '../stacks/express.js';

const LIMIT = 100;
const PEER = '127.0.0.1';
const OTHER = '203.0.113.9';
const CLAIMED = '6.6.6.6';

describe.each(versions)('trust proxy on %s', (_version, express) => {
  const open = siteOpener();
  let folder: string;

  beforeAll(async () => {
    // Some of these settings deserve a warning, which has specs of its own.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    folder = await mkdtemp(join(tmpdir(), 'sluice-express-'));
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  /** A site, and the units that an address has spent there; without one, those of all unreadable addresses. */
  const siteThatTrusts = async (trust: unknown, socketPath?: string) => {
    const gate = rateLimit({ limit: LIMIT, window: '1h' });
    const app = express().use(gate, (_request, response) => void response.send('served'));
    app.set('trust proxy', trust);
    const site = await open(app, socketPath);
    const spentBy = async (ip?: string) => {
      const [inspection] = await gate.limiter.inspect({ ip });
      return LIMIT - inspection!.outcome.remaining;
    };
    return { site, spentBy };
  };

  it.each<[setting: unknown, alone: string, behindOther: string]>([
    [false, PEER, PEER],
    [undefined, PEER, PEER],
    [true, CLAIMED, CLAIMED],
    [1, CLAIMED, OTHER],
    [2, CLAIMED, CLAIMED],
    ['loopback', CLAIMED, OTHER],
    ['127.0.0.0/8', CLAIMED, OTHER],
    [['loopback', OTHER], CLAIMED, CLAIMED],
    ['10.0.0.0/8', PEER, PEER],
    [(address: string) => address === PEER, CLAIMED, OTHER],
  ])('C48 set to %p counts %s, and %s behind another address', async (trust, alone, behindOther) => {
    const one = await siteThatTrusts(trust);
    await one.site.send({ from: CLAIMED });
    const two = await siteThatTrusts(trust);
    await two.site.send({ from: `${CLAIMED}, ${OTHER}` });

    expect(await one.spentBy(alone)).toBe(1);
    expect(await two.spentBy(behindOther)).toBe(1);
  });

  it.each<[setting: unknown, address: string | undefined]>([
    [false, undefined],
    ['loopback', undefined],
    [1, CLAIMED],
    [true, CLAIMED],
  ])('C49 set to %p counts %p on a Unix socket', async (trust, address) => {
    const { site, spentBy } = await siteThatTrusts(trust, join(folder, `${Math.random()}.sock`));

    const responses = await site.sendTimes(2, { from: CLAIMED });

    expect(statusesOf(responses)).toEqual([200, 200]);
    expect(await spentBy(address)).toBe(2);
  });
});
