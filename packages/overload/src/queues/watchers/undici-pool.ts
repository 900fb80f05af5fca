import { ConfigError } from '@sluice/core/internal';
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
  /** Of a Client, which has one connection. */
  readonly pipelining?: number;
  readonly compose: unknown;
}

export function isUndici(dispatcher: object): dispatcher is Dispatcher {
  const { dispatch, compose } = dispatcher as Partial<Dispatcher>;
  return typeof dispatch === 'function' && typeof compose === 'function';
}

/**
 * An Agent and a Pool of undici do not say how many connections they may have: `max` of the queue does.
 *
 * @throws ConfigError OPTION_INVALID for a queue that does not
 */
export function watchUndici(dispatcher: Dispatcher, queue: WatchingQueue): Room {
  const dispatch = dispatcher.dispatch.bind(dispatcher);
  const { max = dispatcher.pipelining } = queue;
  if (max === undefined) throw withoutMax(queue.name);
  const room = new PendingRoom(max);
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

function withoutMax(name: string): ConfigError {
  const queue = `queueDelay(${JSON.stringify(name)}`;
  const rule = 'an Agent or a Pool of undici does not say how many requests it has room for';
  return new ConfigError(
    'OPTION_INVALID',
    'max',
    undefined,
    `${queue}): max is missing: ${rule}: write ${queue}, { max: 20 })`,
  );
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
