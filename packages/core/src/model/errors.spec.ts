import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';

import type * as Errors from './errors.js';
import { ConfigError, isSluiceError, SluiceError, StoreError, UsageError } from './errors.js';

describe('SluiceError', () => {
  it.each([
    ['SluiceError', new SluiceError('STORE_CLOSED', 'closed')],
    ['ConfigError', new ConfigError('LIMIT_INVALID', 'limit', 0, 'limit must be more')],
    ['UsageError', new UsageError('COST_INVALID', 'cost must be more')],
    ['StoreError', new StoreError('STORE_UNAVAILABLE', 'gone', { cause: new Error('ECONNREFUSED') })],
  ])('is the base of %s, which has a name, a code and a message', (name, error) => {
    expect(error).toBeInstanceOf(SluiceError);
    expect(isSluiceError(error)).toBe(true);
    expect(error.name).toBe(name);
    expect(`${error}`).toBe(`${name}: ${error.message}`);
    expect(error.code).toMatch(/^[A-Z_]+$/);
  });

  it('holds its cause', () => {
    const cause = new Error('ECONNREFUSED');

    expect(new StoreError('STORE_UNAVAILABLE', 'gone', { cause }).cause).toBe(cause);
    expect(new ConfigError('KEY_INVALID', 'key', 5, 'wrong', { cause }).cause).toBe(cause);
  });

  it('shows no brand when it is printed or serialized', () => {
    const error = new UsageError('COST_INVALID', 'cost must be more');

    expect(inspect(error)).not.toContain('sluice.error');
    expect(Reflect.ownKeys(error)).not.toContain(Symbol.for('sluice.error'));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'COST_INVALID',
      name: 'UsageError',
      help: expect.stringMatching(/^([^/].*\/)?docs\/reference\/errors\.md#cost_invalid$/),
    });
  });
});

describe('isSluiceError', () => {
  it('is true for an error of another realm', () => {
    const foreign: unknown = runInNewContext(`
      class SluiceError extends Error {
        static {
          Object.defineProperty(this.prototype, Symbol.for('sluice.error'), { value: true });
        }
      }
      new SluiceError('denied');
    `);

    expect(foreign).not.toBeInstanceOf(Error);
    expect(isSluiceError(foreign)).toBe(true);
  });

  it('is true for an error of another copy of the package', () => {
    jest.isolateModules(() => {
      const copy = jest.requireActual<typeof Errors>('./errors.js');
      const foreign = new copy.UsageError('COST_INVALID', 'cost must be more');

      expect(foreign).not.toBeInstanceOf(SluiceError);
      expect(isSluiceError(foreign)).toBe(true);
    });
  });

  it.each([
    [new Error('other')],
    [Object.assign(new Error('foreign'), { name: 'UsageError', code: 'COST_INVALID' })],
    [new TypeError('other')],
    [{ name: 'UsageError' }],
    ['UsageError'],
    [undefined],
  ])('is false for %p', (value) => {
    expect(isSluiceError(value)).toBe(false);
  });
});
