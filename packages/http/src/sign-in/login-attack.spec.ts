import { attack, HOME, LAPTOP, MINUTE_MS } from '../../../../test/support/login-attack.js';

// The figures of docs/guide/login.md, measured while an attack lasts, with owners in it.

describe('an attack on an account, 100 attempts a second from 10 addresses', () => {
  it('keeps no owner out on a known network or device, at any moment', async () => {
    const { random, run, signIn } = attack(10, 1);
    await signIn(HOME);
    await signIn(LAPTOP);

    const admitted: boolean[] = [];
    for (let minute = 0; minute < 3; minute += 1) {
      await run(random() * MINUTE_MS);
      admitted.push(await signIn(HOME), await signIn({ ...LAPTOP, ip: `192.0.2.${minute}` }));
    }

    expect(admitted).toEqual(Array(6).fill(true));
  });

  it('keeps no owner out on a new network after two mistakes', async () => {
    const { random, run, signIn, wrong } = attack(10, 2);

    const admitted: boolean[] = [];
    for (let network = 0; network < 3; network += 1) {
      await run(random() * MINUTE_MS);
      const owner = { ip: `192.0.2.${network}`, account: 'ada' };
      admitted.push(await wrong(owner), await wrong(owner), await signIn(owner));
    }

    expect(admitted).toEqual(Array(9).fill(true));
  });
});

describe('an attack on an account from 1 000 addresses', () => {
  it('denies an owner on a new network, and none on a known one', async () => {
    const { run, signIn } = attack(1_000, 4);
    await signIn(HOME);

    await run(MINUTE_MS);

    expect([await signIn(HOME), await signIn({ ip: '192.0.2.1', account: 'ada' })]).toEqual([true, false]);
  });
});
