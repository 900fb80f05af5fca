import { isPromise } from './maybe-promise.js';

describe('isPromise', () => {
  it.each([[undefined], [null], [0], ['then'], [{}], [JSON.parse('{ "then": 5 }')], [[]]])(
    'is false for %p',
    (value) => {
      expect(isPromise(value)).toBe(false);
    },
  );
});
