import * as companions from './companion.js';

const { companion } = companions;

describe('companion', () => {
  it('keeps what is known of an object under its name alone', () => {
    const [numbers, texts] = [companion<object, number>('spec-numbers'), companion<object, string>('spec-texts')];
    const [one, other] = [{}, Object.freeze({})];

    numbers.set(one, 1);
    texts.set(one, 'one');
    numbers.set(other, 2);
    texts.delete(one);

    expect([numbers.get(one), texts.get(one), numbers.get(other)]).toEqual([1, undefined, 2]);
    expect([numbers.has(one), texts.has(one), texts.has(other)]).toEqual([true, false, false]);
  });

  it('is the same for another copy of this package', () => {
    const owner = {};
    companion<object, number>('spec-numbers').set(owner, 1);

    jest.isolateModules(() => {
      const copy = jest.requireActual<typeof companions>('./companion.js');
      expect(copy.companion).not.toBe(companion);
      expect(copy.companion<object, number>('spec-numbers').get(owner)).toBe(1);
    });
  });
});
