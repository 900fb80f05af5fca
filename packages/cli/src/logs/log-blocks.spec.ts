import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { blocksIn, blocksOf } from './log-blocks.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-blocks-'));

afterAll(() => rmSync(folder, { recursive: true }));

async function textsOf(content: string | Buffer): Promise<string[]> {
  const path = join(folder, 'any.log');
  writeFileSync(path, content);
  const texts: string[] = [];
  for await (const block of blocksOf(path)) texts.push(block.toString());
  return texts;
}

async function* chunks(of: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of of) yield chunk;
}

/** Lines of many lengths, longer together than several chunks. */
const lines = Array.from({ length: 20_000 }, (_, index) => `${index} ${'é'.repeat(index % 61)}`).join('\n');

describe('blocksOf', () => {
  it.each([
    ['a file', `${lines}\n`],
    ['a file whose last line does not end', lines],
    ['gzip', gzipSync(lines)],
  ])('has all lines of %s, each whole', async (_what, content) => {
    const texts = await textsOf(content);

    expect(texts.length).toBeGreaterThan(2);
    expect(texts.slice(0, -1).every((text) => text.endsWith('\n'))).toBe(true);
    expect(texts.join('').trimEnd()).toBe(lines);
  });

  it('begins with many lines, also of a pipe that has one at a time', async () => {
    const pipe = Array.from({ length: 40_000 }, (_, index) => Buffer.from(`line ${index}\n`));
    const texts: string[] = [];
    for await (const block of blocksIn(chunks(pipe))) texts.push(block.toString());

    expect(texts[0]!.length).toBeGreaterThanOrEqual(2 ** 18 - 64);
    expect(texts.join('')).toBe(pipe.join(''));
  });

  it('cuts a line above 1 MB, and continues with the next one', async () => {
    const texts = await textsOf(`first\n${'x'.repeat(3 * 2 ** 20)}\nlast`);

    expect(texts.map((text) => text.length)).toEqual([6, 2 ** 20, 4]);
  });

  it('closes a file that is not read to its end', async () => {
    const path = join(folder, 'any.log');
    writeFileSync(path, `${lines}\n`);
    const lowestFree = () => {
      const descriptor = openSync(path, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const free = lowestFree();

    const blocks = blocksOf(path);
    await blocks.next();
    await blocks.return(undefined);

    expect(lowestFree()).toBe(free);
  });

  it('has nothing of an empty file', async () => {
    expect(await textsOf('')).toEqual([]);
  });
});
