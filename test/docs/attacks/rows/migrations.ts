import { statusesOf } from '../../../support/responses.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, post, times } from '../requests.js';

const APP = 'export const served = app;';
const FORGED = 'forged addresses, a method override, `If-None-Match: *`';

/** Programs of the guides to switch from another limiter. */
export const migrationAttacks: readonly Attack[] = [
  {
    program: 'migrate-from-express-rate-limit.md#a-program',
    sentence: 'refundWhen: (status) => status < 400',
    tries: `accounts that are objects or missing; other spellings; ${FORGED}`,
    replaces: ['void response.end()', 'void response.sendStatus(401)'],
    serves: APP,
    async holds(site) {
      const accounts = ['ada', 'Ada', ' ada ', 'ADA', '\uFF21da', 'ada', 'ada'];
      const statuses = statusesOf(await site.sendEach(accounts.map((account) => post({ account }, '/login'))));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      const made = [['ada'], { toString: 1 }, null, 1.5, [], {}].map((account) => post({ account }, '/login'));
      expect(statusesOf(await site.sendEach(made))).toEqual([401, 401, 401, 401, 401, 429]);
    },
  },
  {
    program: 'migrate-from-rate-limiter-flexible.md#a-denial-is-an-answer',
    sentence: "limit: 3, window: '1s'",
    tries: 'thirty requests at the same time',
    until: 'for (const call',
    replaces: ["'1s'", "'1m'"],
    serves: 'export const served = limiter;',
    holds: (site) => expectAdmitted(site, 3, times(30, post({ user: 'eve' }))),
  },
];
