import * as fc from 'fast-check';
import { keepWritten, wireText } from './wire-text.js';

/** As Redis reads it: by the lengths that are told, in bytes. */
function read(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const parts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number(bytes.toString('latin1', at + 1, end));
    expect(bytes.toString('latin1', at, at + 1)).toBe('$');
    parts.push(bytes.toString('utf8', end + 2, end + 2 + length));
    at = end + 2 + length + 2;
    expect(bytes.toString('latin1', at - 2, at)).toBe('\r\n');
  }
  return parts;
}

const sha = 'f'.repeat(40);

describe('what is sent of a call', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }));

  it('is read by Redis as it was meant, whatever is in it', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeNat())), (keys, args) => {
        const parts = [sha, String(keys.length), ...keys, ...args.map(String)];

        expect(read(wireText(sha, keys, args))).toEqual(parts.map((part) => Buffer.from(part).toString()));
      }),
    );
  });

  it('is the same for arguments that are kept', () => {
    fc.assert(
      fc.property(texts, texts, (keys, args) => {
        const kept = keepWritten([...args]);

        expect(kept).toEqual(args);
        expect(wireText(sha, keys, kept)).toBe(wireText(sha, keys, args));
      }),
    );
  });
});
