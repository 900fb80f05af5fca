import { holdPermits } from './hold-permits.js';

describe('holdPermits', () => {
  it.each<[string, unknown, string]>([
    ['no handler', undefined, 'undefined'],
    [
      'a handler of errors',
      (_error: unknown, _request: unknown, _response: unknown, _next: unknown) => {},
      'the function',
    ],
    ['a list of handlers', [() => {}], 'an array of 1'],
  ])('throws a UsageError for %s', (_case, handler, got) => {
    expect(() => holdPermits(handler as () => void)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        code: 'USAGE_INVALID',
        message: expect.stringContaining(`must be a function (request, response, next) => …, got ${got}`),
      }),
    );
  });
});
