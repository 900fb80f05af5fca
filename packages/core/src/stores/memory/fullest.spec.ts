import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import { fullest } from './fullest.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';

const NOW = 1e12;

describe('fullest', () => {
  it('is the key with the largest share left of those that are drawn', () => {
    const table = tableOf([
      [{ algorithm: 'fixed-window', limit: 1_000, window: '1h' }, [500, NOW + 1]],
      [{ algorithm: 'fixed-window', limit: 10, window: '1h' }, [4, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 10 }, [NOW + 3e5, 0]],
      [{ algorithm: 'fixed-window', limit: 10, window: '1h' }, [0, NOW + 1]],
    ]);

    expect(fullest(table, NOW, [], drawing(table, 0, 1))).toBe(table.find('key 1'));
    expect(fullest(table, NOW, [], drawing(table, 0, 1, 2))).toBe(table.find('key 2'));
    expect(fullest(table, NOW, [], drawing(table, 3, 2, 1, 0))).toBe(table.find('key 3'));
  });

  it('is judged by what is left now', () => {
    const table = tableOf([
      [{ algorithm: 'fixed-window', limit: 10, window: '1h' }, [5, NOW + 9e8]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s' }, [NOW + 1e6, 0]],
    ]);

    expect(fullest(table, NOW, [], drawing(table, 0, 1))).toBe(table.find('key 0'));
    expect(fullest(table, NOW + 9e5, [], drawing(table, 0, 1))).toBe(table.find('key 1'));
  });

  it('is never a key that denies one unit', () => {
    const table = tableOf([
      [{ algorithm: 'fixed-window', limit: 5, window: '1h' }, [5, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 5, window: '1s' }, [NOW + 800_001, 0]],
    ]);

    expect(fullest(table, NOW, [])).toBe(NONE);
  });

  it('is none that is spared', () => {
    const table = tableOf([
      [{ algorithm: 'fixed-window', limit: 5, window: '1h' }, [0, NOW + 1]],
      [{ algorithm: 'fixed-window', limit: 5, window: '1h' }, [4, NOW + 1]],
    ]);

    expect(fullest(table, NOW, [table.find('key 0')], drawing(table, 0, 1))).toBe(table.find('key 1'));
    expect(fullest(table, NOW, [table.find('key 0'), table.find('key 1')])).toBe(NONE);
  });

  it('is found among eight', () => {
    const table = tableOf([[{ algorithm: 'fixed-window', limit: 5, window: '1h' }, [0, NOW + 1]]]);
    let draws = 0;

    fullest(table, NOW, [], () => {
      draws += 1;
      return 0;
    });

    expect(draws).toBe(8);
  });
});

function tableOf(keys: [PolicyOptions, unknown][]): KeyTable {
  const table = new KeyTable(16);
  for (const [number, [options, state]] of keys.entries()) table.add(`key ${number}`, definePolicy(options), state);
  return table;
}

/** Draws keys by their number, the last one again and again. */
function drawing(table: KeyTable, ...numbers: number[]): () => number {
  const places = Array.from({ length: table.size }, (_, place) => table.at(place));
  let draw = 0;
  return () => {
    const number = numbers[Math.min(draw, numbers.length - 1)]!;
    draw += 1;
    return (places.indexOf(table.find(`key ${number}`)) + 0.5) / places.length;
  };
}
