import { tracingChannel } from 'node:diagnostics_channel';

/** Listeners of a tracing channel. One that is absent costs nothing. */
export interface TraceListeners<Context> {
  readonly start: (context: Context) => void;
  readonly end?: (context: Context) => void;
  readonly asyncEnd?: (context: Context) => void;
}

/** Listens to a tracing channel. @returns ends it */
export function listen<Context extends object>(name: string, listeners: TraceListeners<Context>): () => void {
  const channel = tracingChannel<unknown, Context>(name);
  const ends = (['start', 'end', 'asyncEnd'] as const).map((event) => {
    const { [event]: listener } = listeners;
    if (listener === undefined) return () => undefined;
    const onMessage = listener as (context: unknown) => void;
    channel[event].subscribe(onMessage);
    return () => channel[event].unsubscribe(onMessage);
  });
  return () => void ends.map((end) => end());
}
