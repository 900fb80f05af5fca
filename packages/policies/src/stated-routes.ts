/** A command of `sluice` has another copy of this package than the configuration that it imports. */
const ROUTES = Symbol.for('sluice.policies.routes.1');

const holder = globalThis as { [ROUTES]?: Map<string, readonly string[]> };

/** Where a tier stands. */
export interface StatedRoutes {
  readonly prefix: string;
  readonly tier: string;
  /** Undefined where the file does not say it. */
  readonly routes: readonly string[] | undefined;
}

/** Keeps where a tier stands, for `sluice explain`. It never decides. */
export function stateRoutes({ prefix, tier, routes }: StatedRoutes): void {
  if (routes !== undefined) (holder[ROUTES] ??= new Map()).set(nameOf(prefix, tier), routes);
  else holder[ROUTES]?.delete(nameOf(prefix, tier));
}

/** Undefined for a tier of code, and for a file that does not say it. */
export function statedRoutes(prefix: string, tier: string): readonly string[] | undefined {
  return holder[ROUTES]?.get(nameOf(prefix, tier));
}

/** A prefix has no space. */
function nameOf(prefix: string, tier: string): string {
  return `${prefix} ${tier}`;
}
