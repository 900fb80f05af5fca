import { stacks } from '../../adapters/stacks/index.js';
import { leaks } from './leaks.js';

describe('clients that leave at random moments', () => {
  it('leave no permit behind, on any framework', async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();

    const rounds = await leaks({ lasts: 1, seed: 1, stacks });

    expect(rounds.filter(({ stored, running, left }) => stored !== running || left > 0)).toEqual([]);
    expect(rounds.every(({ aborted }) => aborted > 0)).toBe(true);
    jest.restoreAllMocks();
  }, 60_000);
});
