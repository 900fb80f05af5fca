import type { RouteOptions } from 'fastify';

type RoutePath = Pick<RouteOptions, 'url' | 'constraints'>;

/** The name of a route in errors. */
export function nameOf(route: RoutePath & { readonly method: string | readonly string[] }): string {
  return `${[route.method].flat().join()} ${patternOf(route)}`;
}

/** The URL of a route and its constraints, which set it apart from other routes of its methods. */
export function patternOf({ url, constraints = {} }: RoutePath): string {
  const suffixes = Object.entries(constraints as Readonly<Record<string, unknown>>)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ` ${name}=${String(value)}`);
  return `${url}${suffixes.join('')}`;
}
