import { OptionReader, type OptionRow } from '@sluice/http/adapter';
import { readRoute, ROUTE_RULE, type Route } from './routes.js';

const ROUTES_ROW = {
  is: (routes) => Array.isArray(routes) && routes.length > 0,
  words: `a list, of which each is ${ROUTE_RULE}`,
} as const satisfies OptionRow;
const ROUTE_ROW = {
  is: (text) => typeof text === 'string' && readRoute(text) !== undefined,
  words: ROUTE_RULE,
  required: true,
} as const satisfies OptionRow;

/**
 * The routes of a limiter. Undefined where it names none.
 *
 * @param owner of the options, for messages
 * @throws ConfigError for what is no list of routes
 */
export function readRoutes(owner: string, limiter: OptionReader): readonly Route[] | undefined {
  const routes = limiter.one('routes', ROUTES_ROW) as readonly string[] | undefined;
  if (routes === undefined) return undefined;
  const reader = new OptionReader(owner, { routes }, ['routes']);
  return routes.map((_, index) => readRoute(reader.item('routes', index, ROUTE_ROW) as string)!);
}
