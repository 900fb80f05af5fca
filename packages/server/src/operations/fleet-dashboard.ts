import type { IncomingMessage } from 'node:http';
import type { Store } from '@sluice/core';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import { wireOf } from '@sluice/metrics/operations';
import { Access } from '../access/access.js';

/** The dashboard of a process, and who may see it. */
export interface FleetDashboard {
  readonly dashboard: Dashboard;
  /** Undefined where it only reports to the dashboards of other processes. */
  readonly admits: ((request: IncomingMessage) => boolean) | undefined;
}

/**
 * The dashboard of all processes on a Redis. Without tokens it is shown by no port of this process, which is on the
 * dashboards of others all the same.
 */
export function fleetDashboard(store: Store, tokens: readonly string[] | undefined): FleetDashboard | undefined {
  const { client } = wireOf(store) ?? {};
  const hasFleet = typeof (client as Partial<Record<string, unknown>> | undefined)?.['lrange'] === 'function';
  if (!hasFleet && tokens === undefined) return undefined;
  const access = tokens === undefined ? undefined : new Access(tokens);
  const admits = access && ((request: IncomingMessage) => access.admits(bearerOf(request)));
  const dashboard = createDashboard({ store, authorize: (request) => admits?.(request) === true, fleet: hasFleet });
  return { dashboard, admits };
}

/** A browser asks a person for a name and a password, and sends both. The password is the token. */
function bearerOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, basic] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  if (basic === undefined) return authorization;
  const text = Buffer.from(basic, 'base64').toString();
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}
