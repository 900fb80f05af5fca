import { attack, HOME, MINUTE_MS } from '../../../../test/support/login-attack.js';

// The figures of docs/guide/login.md, measured while an attack lasts, with owners in it.

describe('a day of attack on an account whose owner signs in each minute', () => {
  const day = async (addresses: number, attackFor: (made: ReturnType<typeof attack>) => Promise<void>) => {
    const made = attack(addresses, 3);
    await made.signIn(HOME);
    let admitted = 0;
    for (let minute = 0; minute < 1_440; minute += 1) {
      await attackFor(made);
      if (await made.signIn(HOME)) admitted += 1;
    }
    expect(admitted).toBe(1_440);
    return made.guesses();
  };

  it('has at most 166 guesses from 10 addresses, and each sign-in succeeds', async () => {
    const guesses = await day(10, async ({ runQuickly }) => runQuickly(MINUTE_MS));

    // Three first tries of each address, one after the other: six at the same time. 106 by the lane of the others.
    expect(guesses).toBeLessThanOrEqual(166);
    expect(guesses).toBeGreaterThanOrEqual(134);
  });

  it('has at most 406 guesses from 300 addresses, and each sign-in succeeds', async () => {
    // A denied attempt changes nothing, so these take what a hundred a second would.
    const guesses = await day(300, async ({ advance, guess }) => {
      advance(MINUTE_MS);
      for (let attempt = 0; attempt < 5; attempt += 1) await guess();
    });

    expect(guesses).toBeLessThanOrEqual(406);
    expect(guesses).toBeGreaterThanOrEqual(380);
  });
});
