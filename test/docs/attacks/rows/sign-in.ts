import { statusesOf } from '../../../support/responses.js';
import type { Site, TestRequest } from '../../../support/site.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, forged, post, times } from '../requests.js';

const APP = 'export const served = app;';
/** One account, as a sign-in that trims and folds case compares it. */
const SPELLINGS = ['ada', 'Ada', ' ada ', 'ADA\t', '\uFF21da', 'ad\u0061'];
/** Accounts that are no text. */
const MADE_UP = [['ada'], { toString: 1 }, null, 7, true, undefined];

/** Programs that count guesses. */
export const signInAttacks: readonly Attack[] = [
  {
    program: 'login.md#example',
    sentence: '**An attempt counts as failed until it succeeds**',
    tries: 'a hundred guesses at the same time in other spellings; accounts that are no text; forged addresses',
    serves: APP,
    async holds(site) {
      const guesses = times(100, 0).map((_, index) => guess(SPELLINGS[index % SPELLINGS.length], index));
      expect(await guessesChecked(site, guesses)).toBe(6);
      const values: unknown[] = [['ada'], { toString: 1 }, true, [], {}];
      const odd = times(25, 0).map((_, index) => guess(values[index % values.length], index));
      expect(await guessesChecked(site, odd)).toBe(6);
    },
  },
  {
    program: 'login.md#lock-out-of-the-owner',
    sentence: 'a device of another account is worth nothing',
    tries: 'a made-up device and a made-up solution for each of fifty guesses',
    serves: `
import express from 'express';
globalThis.verifyCaptcha = async () => false;
export const served = express().post('/login', express.json(), login, (_request, response) => void response.sendStatus(401));`,
    async holds(site) {
      const guesses = times(50, 0).map((_, index) => {
        const device = String(index).padStart(22, 'x');
        return post({ user: 'ada', captcha: index }, '/login', {
          Cookie: `device=${device}`,
          'X-Forwarded-For': '203.0.113.1',
        });
      });
      expect(await guessesChecked(site, guesses)).toBe(6);
    },
  },
  {
    program: 'login.md#lock-out-of-the-owner',
    sentence: 'the device is then known from its first sign-in',
    tries: 'all first tries of an account from forty addresses; a device that has never signed in; no device',
    serves: `
import express from 'express';
globalThis.verifyCaptcha = async () => false;
export const served = express().set('trust proxy', 1).post('/login', express.json(), login, (request, response) => {
  if (request.body.password === 'lovelace') return succeed(request, response);
  return response.sendStatus(401);
});`,
    async holds(site) {
      const signIn = (ip: string, cookie?: string) =>
        site.send(
          post({ user: 'ada', password: 'lovelace' }, '/login', {
            'X-Forwarded-For': ip,
            ...(cookie !== undefined && { Cookie: cookie }),
          }),
        );
      const first = await signIn('198.51.100.7');
      const [device] = String(first.headers['set-cookie']).split(';') as [string];
      for (let host = 0; host < 40; host += 1) {
        await site.sendEach(times(6, 0).map(() => guess('ada', host)));
      }

      const elsewhere = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
      const owner = await signIn(elsewhere[0], device);
      const stranger = await signIn(elsewhere[1], `device=${'x'.repeat(22)}`);
      const bare = await signIn(elsewhere[2]);

      expect([first, owner, stranger, bare].map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    },
  },
  {
    program: 'login.md#bans',
    sentence: 'One identity of a client, however its address is written',
    tries: 'other spellings of an address and other addresses of a /64, before and after the ban',
    replaces: ['limit: 100', 'limit: 5'],
    serves: 'export const served = limiter;',
    async holds(site) {
      const network = times(20, 0).map((_, index) => post({ ip: `2001:db8::${index}` }));
      const mapped = times(20, 0).map((_, index) => post({ ip: index % 2 ? '203.0.113.7' : '::ffff:203.0.113.7' }));
      for (const requests of [network, mapped]) {
        const responses = await site.sendEach(requests);
        expect(statusesOf(responses).filter((status) => status === 200)).toHaveLength(5);
        expect(responses.at(-1)!.text).toContain('ban');
      }
    },
  },
  {
    program: 'recipes.md#resend-a-code-once-a-minute',
    sentence: 'One code a minute for a phone number, five a day, and no more than twenty a day from an address.',
    tries:
      'other spellings and scripts of a number; other addresses of a /64; values without a number from many addresses',
    serves: 'export const served = limiter;',
    async holds(site) {
      const numbers = [
        '+49 30 901820',
        '+4930901820',
        '(+49) 30/90-18-20',
        '\uFF0B49 30 901820',
        '+49 30 90\uFF11820',
      ].concat(
        // Digits of Arabic, Devanagari and mathematics.
        ['+\u0664\u0669 30 901820', '+\u096A\u096F 30 901820', '\u{1D7D2}\u{1D7D7} 30 901820'],
      );
      await expectAdmitted(
        site,
        1,
        numbers.map((phone, index) => post({ phone, ip: `198.51.100.${index}` })),
      );
      const flood = times(30, 0).map((_, index) => post({ phone: `+1 555 01${index + 10}`, ip: `2001:db8::${index}` }));
      await expectAdmitted(site, 20, flood);
      await expectAdmitted(
        site,
        1,
        [...MADE_UP.filter((each) => each !== 7), '', 'call me'].map((phone, index) =>
          post({ phone, ip: `192.0.2.${index}` }),
        ),
      );
    },
  },
  {
    program: 'dashboard.md#a-dashboard',
    sentence: 'A refused request goes on to the application, as if the dashboard was not mounted.',
    tries: 'a local `Host`, made-up tokens in the address, a cookie and a header; an own `Origin`; forged addresses',
    serves: APP,
    async holds(site) {
      const headers: Readonly<Record<string, string>>[] = [
        { Host: 'localhost' },
        { Authorization: 'Bearer made-up' },
        { Cookie: 'sluice=made-up; token=made-up' },
        { Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' },
      ];
      const paths = ['/sluice/', '/sluice/api/state', '/sluice/api/events', '/sluice/?token=made-up'];
      const requests = paths.flatMap((path) => [...headers.map((each) => ({ path, headers: each })), ...forged(path)]);
      await expectOneBudget(site, 600, requests);
      const { status, text } = await site.send({ path: '/sluice/api/state' });
      expect([status, text]).toEqual([404, expect.not.stringContaining('tiers')]);
    },
  },
];

function guess(user: unknown, index: number): TestRequest {
  return post({ user, password: `guess-${index}` }, '/login', { 'X-Forwarded-For': `203.0.113.${index}` });
}

/** How many guesses reach the check of the password, of guesses at the same time. No guess may be an error. */
async function guessesChecked(site: Site, guesses: readonly TestRequest[]): Promise<number> {
  const statuses = statusesOf(await Promise.all(guesses.map((each) => site.send(each))));
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 401).length;
}
