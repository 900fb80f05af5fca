import { PendingRoom } from '../pending-room.js';
import type { Room } from '../line.js';
import type { WatchingQueue } from './watching-queue.js';

/** Methods of a handler that end a request. Undici 6 knows the second ones, undici 7 both. */
const ENDS = ['onResponseEnd', 'onResponseError', 'onRequestUpgrade', 'onComplete', 'onError', 'onUpgrade'] as const;
const OTHERS = [
  'onRequestStart',
  'onResponseStart',
  'onResponseData',
  'onResponseStarted',
  'onConnect',
  'onHeaders',
  'onData',
  'onBodySent',
  'onRequestSent',
] as const;

type Method = (...args: unknown[]) => unknown;
type Handler = Partial<Record<(typeof ENDS)[number] | (typeof OTHERS)[number], Method>>;

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
      fail: (error) => {
        if (handler.onResponseError !== undefined) handler.onResponseError(undefined, error);
        else handler.onError?.(error);
      },
    });
    return true;
  };
  return room;
}

/** A handler that tells when its request is over. Its methods know their handler, which may be an object with private fields. */
function ending(handler: Handler, end: () => void): Handler {
  const wrapped: Handler = {};
  for (const name of OTHERS) if (handler[name] !== undefined) wrapped[name] = handler[name].bind(handler);
  for (const name of ENDS) {
    const method = handler[name]?.bind(handler);
    if (method === undefined) continue;
    wrapped[name] = (...args) => {
      end();
      return method(...args);
    };
  }
  return wrapped;
}
