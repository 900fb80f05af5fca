import { within } from './within.js';

const pause = (milliseconds: number) => new Promise<string>((resolve) => setTimeout(resolve, milliseconds, 'answer'));

describe('within', () => {
  it('rejects when the answer takes longer', async () => {
    await expect(within(5, () => new Promise(() => undefined))).rejects.toThrow('there was no answer within 5 ms');
  });

  it('settles as the call does', async () => {
    await expect(within(200, () => pause(5))).resolves.toBe('answer');
    await expect(within(200, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('gives the answer of a shorter timer where the process was stopped for longer than both', async () => {
    const answer = within(60, async () => {
      const word = await pause(10);
      // A deadline reads what sockets have before it answers.
      await new Promise(setImmediate);
      return word;
    });

    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);

    await expect(answer).resolves.toBe('answer');
  });
});
