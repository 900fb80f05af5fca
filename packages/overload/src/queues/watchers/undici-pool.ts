import { PendingRoom } from '../pending-room.js';
import type { Room } from '../line.js';
import type { WatchingQueue } from './watch-pool.js';

/** Methods of a handler that end a request. Undici 6 knows the second ones, undici 7 both. */
const ENDS = ['onResponseEnd', 'onResponseError', 'onRequestUpgrade', 'onComplete', 'onError', 'onUpgrade'] as const;

type Handler = Partial<Record<(typeof ENDS)[number], (...args: never) => unknown>> & {
  onResponseError?(controller: unknown, error: unknown): void;
  onError?(error: unknown): void;
};

/** What is used of an Agent, a Pool or a Client of undici. */
interface Dispatcher {
  dispatch(options: unknown, handler: Handler): boolean;
  readonly compose: unknown;
}

export function isUndici(dispatcher: object): dispatcher is Dispatcher {
  const { dispatch, compose } = dispatcher as Partial<Dispatcher>;
  return typeof dispatch === 'function' && typeof compose === 'function';
}

/** Undici does not say how many connections it may have: `max` of the queue does. */
export function watchUndici(dispatcher: Dispatcher, queue: WatchingQueue): Room {
  const dispatch = dispatcher.dispatch.bind(dispatcher);
  const room = new PendingRoom(queue.max);
  dispatcher.dispatch = (options, handler) => {
    queue.enter({
      start() {
        room.begin();
        let isOver = false;
        const end = () => {
          if (isOver) return;
          isOver = true;
          room.end();
          queue.letIn();
        };
        try {
          dispatch(options, ending(handler, end));
        } catch (error) {
          end();
          throw error;
        }
      },
      fail: (error) => (handler.onResponseError ? handler.onResponseError(undefined, error) : handler.onError?.(error)),
    });
    return true;
  };
  return room;
}

/** A handler that tells when its request is over. */
function ending(handler: Handler, end: () => void): Handler {
  const wrapped = Object.create(handler) as Handler;
  for (const name of ENDS) {
    const method = handler[name] as ((...args: unknown[]) => unknown) | undefined;
    if (method === undefined) continue;
    wrapped[name] = (...args: unknown[]) => {
      end();
      return method.apply(handler, args);
    };
  }
  return wrapped;
}
