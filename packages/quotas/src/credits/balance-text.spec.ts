import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { balance, creditsOf } from '../index.js';
import { balanceText } from './balance-text.js';

const key = (user: string) => user;
const month = { name: 'month', key, algorithm: 'fixed-window', limit: 1, period: 'month' } as const;
const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
const prepaid = { name: 'prepaid', key, algorithm: balance() } as const;

/** The texts of both balances of a client that has bought so many units of each. */
async function textsOf(bought: number, cost: number) {
  const limiter = createLimiter<string>({ tiers: [month, credits, prepaid] });
  if (bought > 0) {
    for (const tier of ['credits', 'prepaid'])
      await creditsOf(limiter).credit('ada', bought, { id: 'invoice 1', tier });
  }
  const inspections = await limiter.inspect('ada', { cost });
  return inspections.map((inspection) => balanceText(inspection));
}

describe('balanceText', () => {
  it.each([
    ['no credits', 0, 1, 'No credits left: it pays for nothing', 'No credits left: it denies the request'],
    ['too few', 2, 3, 'It holds too little: it pays for nothing', 'It holds too little: it denies the request'],
  ])('says of a client with %s that a balance pays for nothing', async (_which, bought, cost, covering, alone) => {
    expect(await textsOf(bought, cost)).toEqual([
      undefined,
      { text: covering, isEnough: false },
      { text: alone, isEnough: false },
    ]);
  });

  it('names what a balance can pay for', async () => {
    expect(await textsOf(3, 3)).toEqual([
      undefined,
      { text: 'It can pay for month', isEnough: true },
      { text: 'The next request fits', isEnough: true },
    ]);
  });
});
