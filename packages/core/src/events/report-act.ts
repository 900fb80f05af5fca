import { companion } from '../model/companion.js';
import { channels } from './channels.js';
import type { AuditEvent } from './events.js';

/** What stores the acts on a store. */
export type ActSink = (act: AuditEvent) => void;

const sinks = companion<object, ActSink>('act-sinks');

/** Reports what a person has changed in a store, after the change: to the list of the store, if something writes it, and as event. */
export function reportAct(store: object, act: AuditEvent): void {
  sinks.get(store)?.(act);
  if (channels.audit.hasSubscribers) channels.audit.publish(act);
}

/** Has the acts on a store stored. */
export function storeActs(store: object, sink: ActSink): void {
  sinks.set(store, sink);
}
