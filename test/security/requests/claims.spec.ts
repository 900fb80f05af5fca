import { byJwtSubject } from '@sluice/express';
import { noTexts, texts, tooLong, unwritable } from './made-up.js';
import { claims, verifyToken } from './token.js';
import { MARK } from './traces.js';
import { apart, inEveryWorld, together } from './worlds.js';

describe('Identities in the claims of a token', () => {
  inEveryWorld((world) => {
    const open = () => world.open({ key: byJwtSubject(), before: [verifyToken] });

    it('have a bucket each, and one key of Redis', async () => {
      const site = await open();
      const subjects = [...texts, ...unwritable, 'a:b', 'ab'];
      const issued = [
        { iss: 'a', sub: 'b' },
        { iss: 'a', sub: ':b' },
        { iss: 'a:', sub: 'b' },
        { iss: '1:a', sub: 'b' },
        { iss: '\ud83d', sub: '\udc34' },
        { iss: '\udc34', sub: '\ud83d' },
        { iss: '{}', sub: '{}' },
        { iss: '__proto__', sub: '__proto__' },
      ];

      const spent = await site.spending([{}, ...[...subjects.map((sub) => ({ sub })), ...issued].map(claims)]);

      expect(spent).toEqual(apart(subjects.length + issued.length + 1));
      expect([spent.length, undefined]).toContain(await world.keys());
    });

    it('share the bucket of the address when they are no text', async () => {
      const site = await open();
      const subjects = [...noTexts, '', ...tooLong].map((sub) => ({ sub, iss: MARK }));
      const whole = [{}, [], [MARK], null, 7, MARK, { ['__proto__']: { sub: MARK }, SUB: MARK }];

      const spent = await site.spending([{}, ...[...subjects, ...whole].map(claims)]);

      expect(spent).toEqual(together(subjects.length + whole.length + 1));
    });

    it('share the bucket of the address when their issuer is no text', async () => {
      const site = await open();
      const issuers = [[MARK], { [MARK]: MARK }, true, 'x'.repeat(513), 'y'.repeat(513)];

      const spent = await site.spending([{}, ...issuers.map((iss) => claims({ iss, sub: MARK }))]);

      expect(spent).toEqual(together(issuers.length + 1));
    });
  });
});
