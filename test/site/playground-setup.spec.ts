import { commandOf, FIRST, hashOf, optionsOf, setupOf } from '../../site/playground/setup.js';

const other = { ...FIRST, algorithm: 'token-bucket', burst: '20', load: 'poisson:2/s', more: '', clients: '50' };

describe('setupOf', () => {
  it('reads the setup that hashOf has written', () => {
    expect(setupOf(`#${hashOf(other)}`)).toEqual(other);
  });

  it('takes what an address leaves out from the first setup, and nothing that is no field', () => {
    expect(setupOf('#limit=5&colour=red&__proto__=1')).toEqual({ ...FIRST, limit: '5' });
    expect(setupOf('')).toEqual(FIRST);
  });
});

describe('optionsOf', () => {
  it('gives each option to the algorithms that have it', () => {
    expect(optionsOf({ ...other, against: 'leaky-bucket', queue: '5' })).toEqual({
      limits: '100/1m token-bucket burst=20',
      against: '100/1m leaky-bucket queue=5',
      load: ['poisson:2/s', 'clients:50'],
      for: '10m',
      seed: '1',
    });
  });
});

describe('commandOf', () => {
  it('prints the same setup as a command', () => {
    expect(commandOf(FIRST)).toBe(
      'npx @sluice/cli simulate --limits "100/1m sliding-window" --against "100/1m fixed-window" --load "steady:1/s" --load "bursts:90/67s" --for "10m" --seed "1"',
    );
  });
});
