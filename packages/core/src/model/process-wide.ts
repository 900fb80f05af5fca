/** Its number changes with the form of any value, so that versions that differ in it share nothing. */
const SHARED = Symbol.for('sluice.shared.4');

const holder = globalThis as { [SHARED]?: Map<string, unknown> };

/**
 * A value that all copies of this package in a process share. A process has several copies if its dependencies install
 * several versions. The first copy makes the value.
 */
export function processWide<T>(name: string, make: () => T): T {
  const values = (holder[SHARED] ??= new Map());
  if (!values.has(name)) values.set(name, make());
  return values.get(name) as T;
}
