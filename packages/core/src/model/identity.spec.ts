import * as fc from 'fast-check';

import { identityText, isKey, type Identity } from './identity.js';

/** Any text of JavaScript, also with halves of surrogate pairs. */
const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

const identity: fc.Arbitrary<Identity> = fc.record({
  kind: fc.oneof(fc.constantFrom('ip', 'key', 'api-key'), text),
  parts: fc.array(fc.oneof(fc.constantFrom('', 'a', 'bc', 'ab', 'c', '1:a', '2:ab', '\ud800', '\ud801', '�'), text)),
});

describe('identityText', () => {
  it('differs for identities that differ in kind, in a part or in a boundary', () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const equal = JSON.stringify([one.kind, one.parts]) === JSON.stringify([other.kind, other.parts]);

        const [first, second] = [identityText(one), identityText(other)].map((each) => Buffer.from(each, 'utf8'));

        expect(first!.equals(second!)).toBe(equal);
      }),
      {
        numRuns: 2_000,
        examples: [
          [
            { kind: 'ip', parts: ['a', 'b'] },
            { kind: 'ip', parts: ['a1:b'] },
          ],
          [
            { kind: 'ip', parts: ['a'] },
            { kind: 'ip1:a', parts: [] },
          ],
        ],
      },
    );
  });

  it('reads a text as an identity of the kind "key"', () => {
    expect(identityText('ada')).toBe('3:key3:ada');
    expect(identityText('ada')).toBe(identityText({ kind: 'key', parts: ['ada'] }));
  });
});

describe('isKey', () => {
  it.each<[unknown]>([['ada'], [' '], [{ kind: 'ip', parts: ['::1'] }], [{ kind: 'ip', parts: [''] }]])(
    'is true for %j',
    (value) => {
      expect(isKey(value)).toBe(true);
    },
  );

  const noTexts = ['', undefined, null, 5, 0n, true, Symbol('key'), ['ada'], {}, () => 'ada'];
  const noKinds = [{ kind: 'ip' }, { kind: '', parts: ['a'] }, { kind: 5, parts: ['a'] }];
  const noParts = [[], 'a', ['a', 5], [undefined]].map((parts) => ({ kind: 'ip', parts }));

  it.each([...noTexts, ...noKinds, ...noParts].map((value) => [value]))('is false for %p', (value) => {
    expect(isKey(value)).toBe(false);
  });
});
