/** A registered symbol, so that another copy of this package knows its functions. */
const FACTORY = Symbol.for('sluice.key-factory.1');

/**
 * Marks a function that returns a key function, so that `key: byIp` without a call is an error at the start.
 *
 * @param call how it is called, where it needs arguments
 */
export function keyFactory<F extends object>(factory: F, call = ''): F {
  return Object.defineProperty(factory, FACTORY, { value: call });
}

/** What to write in place of such a function. Undefined for any other value. */
export function factoryCall(value: object): string | undefined {
  const { [FACTORY]: call, name } = value as { readonly [FACTORY]?: string; readonly name?: string };
  return call === undefined ? undefined : call || `${name}()`;
}
