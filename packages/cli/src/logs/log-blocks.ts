import { open } from 'node:fs/promises';
import { createGunzip, type Gunzip } from 'node:zlib';

const CHUNK = 2 ** 18;
/** A longer line is cut. */
const MAX_LINE = 2 ** 20;
const GZIP = [0x1f, 0x8b] as const;
export const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * The lines of a file, or of stdin for `-`, many in a block. Each block has whole lines, and can be read until the next
 * one: a buffer for each would be most of the memory. It unpacks gzip, also of several members.
 *
 * @throws what the file system says of a file that cannot be read
 */
export function blocksOf(path: string): AsyncGenerator<Buffer> {
  return blocksIn(chunksOf(path));
}

/** The lines of the parts of a file, in the same way. */
export async function* blocksIn(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let buffer = Buffer.allocUnsafe(2 * CHUNK);
  let size = 0;
  let isCut = false;
  let isBegun = false;
  for await (const read of unpacked(chunks)) {
    // The end of a line whose beginning was taken for the line.
    const cut = isCut ? read.indexOf(LINE_FEED) : -1;
    if (isCut && cut === -1) continue;
    const chunk = read.subarray(cut + 1);
    isCut = false;
    if (size + chunk.length > buffer.length) {
      buffer = Buffer.concat([buffer.subarray(0, size)], size + chunk.length + CHUNK);
    }
    size += chunk.copy(buffer, size);
    const end = buffer.subarray(0, size).lastIndexOf(LINE_FEED) + 1;
    // The first lines tell the format: a pipe may have one at a time.
    if (end > 0 && (isBegun || size >= CHUNK)) {
      isBegun = true;
      yield buffer.subarray(0, end);
      buffer.copyWithin(0, end, size);
      size -= end;
    }
    if (size <= MAX_LINE) continue;
    isBegun = true;
    yield buffer.subarray(0, MAX_LINE);
    size = 0;
    isCut = true;
  }
  if (size > 0) yield buffer.subarray(0, size);
}

/** Where a line ends that a line feed, or the end of its block, follows: before the carriage return of Windows. */
export function lineEnd(block: Buffer, end: number): number {
  return block[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
}

/** The bytes of a file, in one buffer that each chunk overwrites. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  if (path === '-') return yield* process.stdin as AsyncIterable<Buffer>;
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* unpacked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { value: first, done } = await chunks.next();
  if (done === true) return;
  if (first[0] !== GZIP[0] || first[1] !== GZIP[1]) {
    try {
      yield first;
      return yield* chunks;
    } finally {
      // The reader may stop at the first chunk, which opens the file.
      await chunks.return(undefined);
    }
  }
  const output = createGunzip({ chunkSize: CHUNK });
  void feed(output, first, chunks).catch((error: Error) => output.destroy(error));
  yield* output as AsyncIterable<Buffer>;
}

/** Writes the first chunk, and then all others: each when the one before is unpacked, because it overwrites it. */
async function feed(output: Gunzip, first: Buffer, others: AsyncGenerator<Buffer>): Promise<void> {
  const write = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      output.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  await write(first);
  for await (const chunk of others) await write(chunk);
  output.end();
}
