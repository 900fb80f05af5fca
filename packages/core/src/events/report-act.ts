import { companion } from '../model/companion.js';
import { channels } from './channels.js';
import type { AuditEvent } from './events.js';

/** Finds an act where its change is. Undefined: it has not happened. It rejects while the store is away. */
export type FindAct = () => Promise<AuditEvent | undefined>;

/** What stores the acts on a store. */
export interface ActSink {
  /** @returns false for an act that this process has reported before */
  add(act: AuditEvent): boolean;
  /** Reports the act once it is found. Resolves after the first attempt. */
  seek(find: FindAct): Promise<void>;
}

const sinks = companion<object, ActSink>('act-sinks');

/** Reports what a person has changed in a store, after the change: to the list of the store, if something writes it, and as event. */
export function reportAct(store: object, act: AuditEvent): void {
  if (sinks.get(store)?.add(act) === false) return;
  if (channels.audit.hasSubscribers) channels.audit.publish(act);
}

/**
 * Reports an act that is still to be found, because no reply has said whether it has happened, or because the reply does not have all
 * of it. Without a sink it is looked for once.
 */
export async function seekAct(store: object, find: FindAct): Promise<void> {
  const sink = sinks.get(store);
  if (sink !== undefined) return sink.seek(find);
  const act = await find().catch(() => undefined);
  if (act !== undefined) reportAct(store, act);
}

/** Has the acts on a store stored. */
export function storeActs(store: object, sink: ActSink): void {
  sinks.set(store, sink);
}
