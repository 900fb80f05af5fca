import { createRequire } from 'node:module';
import fc from 'fast-check';
import { keepWritten, wireText } from './wire-text.js';

/** As Redis reads it. */
interface Reader {
  execute(bytes: Buffer): void;
}
type ReaderClass = new (options: {
  returnReply(reply: readonly string[]): void;
  returnError(error: Error): void;
}) => Reader;

const ofIoredis = createRequire(require.resolve('ioredis'));
const RespReader = ofIoredis('redis-parser') as ReaderClass;

function read(text: string, parts: number): readonly string[] {
  const replies: (readonly string[])[] = [];
  const reader = new RespReader({
    returnReply: (reply) => replies.push(reply),
    returnError: (error) => {
      throw error;
    },
  });
  reader.execute(Buffer.from(`*${parts}\r\n${text}`));
  expect(replies).toHaveLength(1);
  return replies[0]!;
}

const sha = 'f'.repeat(40);

describe('what is sent of a call', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }));

  it('is read by Redis as it was meant, whatever is in it', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeNat())), (keys, args) => {
        const parts = [sha, String(keys.length), ...keys, ...args.map(String)];

        expect(read(wireText(sha, keys, args), parts.length)).toEqual(
          parts.map((part) => Buffer.from(part).toString()),
        );
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
