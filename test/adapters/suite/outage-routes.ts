import { settle, type Store } from '@sluice/core';
import { served, type Call, type Limit, type Route } from '../stack.js';

interface OutageParts {
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
export function outageRoutes({ alive, onHandled, onLong }: OutageParts): Route[] {
  const handle = () => {
    onHandled();
    return served();
  };
  return [
    { path: '/local', limits: [{ ...hour, ...both, name: 'local', share }], handle: source },
    { path: '/allow', limits: [{ ...hour, ...both, name: 'allow', onStoreFailure: 'allow' }], handle: source },
    { path: '/deny', limits: [{ ...hour, ...both, name: 'deny', onStoreFailure: 'deny' }], handle },
    {
      path: '/beside',
      limits: [
        { ...hour, ...both, name: 'alive', store: alive },
        { ...hour, ...both, name: 'dead', onStoreFailure: 'deny' },
      ],
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
