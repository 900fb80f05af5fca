import type { Route } from '@sluice/policies/operations';
import { usage } from '../failure/failure.js';

export type { Route };

/** The routes of an option that may be repeated. @throws Failure for what is no route */
export async function readRoutes(option: string, texts: readonly string[]): Promise<readonly Route[]> {
  const { readRoute, ROUTE_RULE } = await import('@sluice/policies/operations');
  return texts.map((text) => {
    const route = readRoute(text);
    if (route === undefined) throw usage(`${option} ${text}: write ${ROUTE_RULE}`);
    return route;
  });
}
