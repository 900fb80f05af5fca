/** Where a field is: the first path that a line has. */
export type Paths = readonly string[];

export type Finder = (line: object) => unknown;

/** Finds the first of paths that a line has: `client.ip` is a name, or a name in the object of another. */
export function finder(paths: Paths): Finder {
  const all = paths.map((path) => ({ path, steps: path.split('.') }));
  return (line) => {
    for (const { path, steps } of all) {
      let value: unknown = line;
      for (const name of steps) value = own(value, name);
      if (steps.length > 1) value ??= own(line, path);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  };
}

/** Lines come from clients too: what objects inherit is no field. */
function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** NaN for anything but a number or its text: an object of a line may have a toString of its own. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

/** Of a header that came several times, all of its values. */
export function headerOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
}

/** A string or a number as text; the first of an array, because headers are arrays in some logs. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value[0]);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '-' ? value : '';
}
