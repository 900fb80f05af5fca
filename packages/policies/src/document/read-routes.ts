import { OptionReader } from '@sluice/http/adapter';
import { readRoute, ROUTE_RULE, type Route } from './routes.js';

/**
 * The routes of a limiter. Undefined where it names none.
 *
 * @param owner of the options, for messages
 * @throws ConfigError for what is no list of routes
 */
export function readRoutes(owner: string, limiter: OptionReader): readonly Route[] | undefined {
  const given = limiter.value('routes');
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length === 0) {
    throw limiter.fail('OPTION_INVALID', 'routes', `must be a list, of which each is ${ROUTE_RULE}`);
  }
  return given.map((text: unknown, index) => {
    const route = typeof text === 'string' ? readRoute(text) : undefined;
    if (route !== undefined) return route;
    const option = `routes[${index}]`;
    throw new OptionReader(owner, { [option]: text }, [option]).fail('OPTION_INVALID', option, `must be ${ROUTE_RULE}`);
  });
}
