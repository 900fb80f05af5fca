import { byIp, settle, type HttpRequest, type Limiter, type Store, type Tier } from '@sluice/core';
import { served, type Call, type Limit, type Route } from '../stack.js';

interface OutageParts {
  /** For a route with `refundWhen`. */
  readonly limiter: Limiter<HttpRequest>;
  /** A store that works. */
  readonly alive: Store;
  /** Called for each request that reaches a handler behind a limit that must deny. */
  readonly onHandled: () => void;
  /** Called when a request reaches the handler of `/long`, which waits for the promise. */
  readonly onLong: () => Promise<void>;
}

const hour = { limit: 6, window: '1h' } as const;
const both = { headers: ['x-ratelimit', 'draft-11'] } as const satisfies Pick<Limit, 'headers'>;
/** Two of six units for this process. */
const share = 1 / 3;

/** A route for each thing that a limit can do while its store does not answer. */
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
    { path: '/local', limits: [{ ...hour, ...both, name: 'local', share }], handle: source },
    { path: '/allow', limits: [{ ...hour, ...both, name: 'allow', onStoreFailure: 'allow' }], handle: source },
    { path: '/deny', limits: [{ ...hour, ...both, name: 'deny', onStoreFailure: 'deny' }], handle },
    {
      path: '/windows',
      limits: [
        {
          ...both,
          name: 'pages',
          share: 1 / 2,
          algorithm: 'multi-window',
          windows: [
            { limit: 10, window: '1m' },
            { limit: 101, window: '1h' },
          ],
        },
      ],
    },
    { path: '/counted', limits: [{ ...both, share, tiers: [address, free] }], handle: source },
    { path: '/login', limits: [{ ...both, share, tiers: [address, account] }], handle },
    { path: '/plan', limits: [{ ...both, share, tiers: () => plan }], handle },
    {
      path: '/kept',
      limits: [{ ...both, tiers: [{ ...free, name: 'kept' }], onStoreFailure: 'deny' }],
      handle: source,
    },
    {
      path: '/beside',
      limits: [
        { ...hour, ...both, name: 'alive', store: alive },
        { ...hour, ...both, name: 'dead', onStoreFailure: 'deny' },
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

function source({ decision }: Call) {
  return { status: 200, text: `${decision?.source} ${decision?.degraded}` };
}
