import { byIp, settle, type HttpRequest, type Limiter, type Store, type Tier } from '@sluice/core';
import { served, type Limit, type Route, type Visit } from '../adapter.js';

/** What the routes of an outage are made of. */
export interface OutageParts {
  /** A limiter that gives back. */
  readonly limiter: Limiter<HttpRequest>;
  /** A store that is not in trouble. */
  readonly alive: Store;
  /** Is told of every request that has come to a handler that is there to be denied. */
  readonly onHandled: () => void;
  /** Is told that a request has come to the handler of `/long`, and has it wait until the trouble is there. */
  readonly onLong: () => Promise<void>;
}

const hour = { limit: 6, window: '1h' } as const;
const told = { headers: ['x-ratelimit', 'draft-11'] } as const satisfies Pick<Limit, 'headers'>;
/** Of six units two are this process' own. */
const share = 1 / 3;

/** A route for each thing that a limit can say of a store that does not answer. */
export function outageRoutes({ limiter, alive, onHandled, onLong }: OutageParts): Route[] {
  const address: Tier<HttpRequest> = { ...hour, name: 'address', key: byIp() };
  const free: Tier<HttpRequest> = { ...hour, name: 'free', key: byIp(), onStoreFailure: 'allow' };
  const account: Tier<HttpRequest> = { ...hour, name: 'account', key: () => 'all', limit: 100, onStoreFailure: 'deny' };
  const plan = [address, account];
  const handle = () => {
    onHandled();
    return served();
  };
  return [
    { path: '/local', limits: [{ ...hour, ...told, name: 'local', share }], handle: source },
    { path: '/allow', limits: [{ ...hour, ...told, name: 'allow', onStoreFailure: 'allow' }], handle: source },
    { path: '/deny', limits: [{ ...hour, ...told, name: 'deny', onStoreFailure: 'deny' }], handle },
    { path: '/counted', limits: [{ ...told, share, tiers: [address, free] }], handle: source },
    { path: '/login', limits: [{ ...told, share, tiers: [address, account] }], handle },
    { path: '/plan', limits: [{ ...told, share, tiers: () => plan }], handle },
    // The tier says it, and its limiter the contrary.
    {
      path: '/kept',
      limits: [{ ...told, tiers: [{ ...free, name: 'kept' }], onStoreFailure: 'deny' }],
      handle: source,
    },
    {
      path: '/beside',
      limits: [
        { ...hour, ...told, name: 'alive', store: alive },
        { ...hour, ...told, name: 'dead', onStoreFailure: 'deny' },
      ],
    },
    { path: '/refund', limits: [{ limiter, refundWhen: () => true }] },
    {
      path: '/settle',
      limits: [{ ...hour, name: 'settle' }],
      handle: async ({ decision }) => ({ status: 200, text: String(await settle(decision!, 3)) }),
    },
    {
      path: '/long',
      limits: [{ ...hour, name: 'long', refundWhen: () => true }],
      async handle({ decision }) {
        await onLong();
        return { status: 200, text: `${decision!.source} ${await settle(decision!, 0)}` };
      },
    },
  ];
}

function source({ decision }: Visit) {
  return { status: 200, text: `${decision?.source} ${decision?.degraded}` };
}
