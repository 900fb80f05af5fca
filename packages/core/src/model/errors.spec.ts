import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';

import type * as Errors from './errors.js';
import { ConfigError, isSluiceError, SluiceError, StoreError, UsageError } from './errors.js';

describe('errors', () => {
  it.each([
    ['SluiceError', new SluiceError('STORE_CLOSED', 'closed')],
    ['ConfigError', new ConfigError('LIMIT_INVALID', 'limit', 0, 'limit must be more')],
    ['UsageError', new UsageError('COST_INVALID', 'cost must be more')],
    ['StoreError', new StoreError('STORE_UNAVAILABLE', 'gone', { cause: new Error('ECONNREFUSED') })],
  ])('a %s has a name, a code, a message and a base that all share', (name, error) => {
    expect(error).toBeInstanceOf(SluiceError);
    expect(isSluiceError(error)).toBe(true);
    expect(error.name).toBe(name);
    expect(`${error}`).toBe(`${name}: ${error.message}`);
    expect(error.code).toMatch(/^[A-Z_]+$/);
  });

  it('keep their cause', () => {
    const cause = new Error('ECONNREFUSED');

    expect(new StoreError('STORE_UNAVAILABLE', 'gone', { cause }).cause).toBe(cause);
    expect(new ConfigError('KEY_INVALID', 'key', 5, 'wrong', { cause }).cause).toBe(cause);
  });

  it('of another copy of the package, in another realm, are known', () => {
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

  it('of another copy of this very module are known', () => {
    jest.isolateModules(() => {
      const copy = jest.requireActual<typeof Errors>('./errors.js');
      const foreign = new copy.UsageError('COST_INVALID', 'cost must be more');

      expect(foreign).not.toBeInstanceOf(SluiceError);
      expect(isSluiceError(foreign)).toBe(true);
    });
  });

  it('show nothing of how they are known', () => {
    const error = new UsageError('COST_INVALID', 'cost must be more');

    expect(inspect(error)).not.toContain('sluice.error');
    expect(Reflect.ownKeys(error)).not.toContain(Symbol.for('sluice.error'));
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: 'COST_INVALID', name: 'UsageError' });
  });

  it.each([
    [new Error('other')],
    [Object.assign(new Error('foreign'), { name: 'UsageError', code: 'COST_INVALID' })],
    [new TypeError('other')],
    [{ name: 'UsageError' }],
    ['UsageError'],
    [undefined],
  ])('are not %p', (value) => {
    expect(isSluiceError(value)).toBe(false);
  });
});
