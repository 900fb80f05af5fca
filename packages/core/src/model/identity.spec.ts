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
      { numRuns: 2_000 },
    );
  });

  it.each<[string, Identity, Identity]>([
    ['kind', { kind: 'ip', parts: ['a'] }, { kind: 'api-key', parts: ['a'] }],
    ['boundary of parts', { kind: 'ip', parts: ['a', 'bc'] }, { kind: 'ip', parts: ['ab', 'c'] }],
    ['number of parts', { kind: 'ip', parts: ['a', ''] }, { kind: 'ip', parts: ['a'] }],
    ['forged length', { kind: 'ip', parts: ['a', 'b'] }, { kind: 'ip', parts: ['a1:b'] }],
    ['part that looks like a kind', { kind: 'ip', parts: ['a'] }, { kind: 'ip1:a', parts: [] }],
    ['accent, composed or not', { kind: 'ip', parts: ['\u00e9'] }, { kind: 'ip', parts: ['e\u0301'] }],
  ])('differs for another %s', (_difference, one, other) => {
    expect(identityText(one)).not.toBe(identityText(other));
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

  it.each<[unknown]>([
    [''],
    [undefined],
    [null],
    [5],
    [0n],
    [true],
    [Symbol('key')],
    [['ada']],
    [{}],
    [{ kind: 'ip' }],
    [{ kind: '', parts: ['a'] }],
    [{ kind: 5, parts: ['a'] }],
    [{ kind: 'ip', parts: [] }],
    [{ kind: 'ip', parts: 'a' }],
    [{ kind: 'ip', parts: ['a', 5] }],
    [{ kind: 'ip', parts: [undefined] }],
    [() => 'ada'],
  ])('is false for %p', (value) => {
    expect(isKey(value)).toBe(false);
  });
});
