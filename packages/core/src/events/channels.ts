import { channel } from 'node:diagnostics_channel';
import type { SluiceEvents } from './events.js';

/** What is used of a channel of Node. A program whose compiler does not know the types of Node compiles with it, too. */
export interface EventChannel<Event> {
  readonly name: string | symbol;
  readonly hasSubscribers: boolean;
  publish(event: Event): void;
  subscribe(listener: (event: unknown, name: string | symbol) => void): void;
  unsubscribe(listener: (event: unknown, name: string | symbol) => void): void;
}

/** Test `hasSubscribers` before you make an event: then a channel without subscribers costs nothing. */
export const channels = {
  decision: channelOf('sluice:decision'),
  storeCall: channelOf('sluice:store-call'),
  breaker: channelOf('sluice:breaker'),
  lateReply: channelOf('sluice:late-reply'),
  degraded: channelOf('sluice:degraded'),
  configFault: channelOf('sluice:config-fault'),
  refund: channelOf('sluice:refund'),
  charge: channelOf('sluice:charge'),
  lease: channelOf('sluice:lease'),
  permitLapsed: channelOf('sluice:permit-lapsed'),
  listed: channelOf('sluice:listed'),
  listFailed: channelOf('sluice:list-failed'),
  listLost: channelOf('sluice:list-lost'),
  audit: channelOf('sluice:audit'),
  policies: channelOf('sluice:policies'),
  override: channelOf('sluice:override'),
  notice: channelOf('sluice:notice'),
  shed: channelOf('sluice:shed'),
  load: channelOf('sluice:load'),
  door: channelOf('sluice:door'),
};

function channelOf<Name extends keyof SluiceEvents>(name: Name): EventChannel<SluiceEvents[Name]> {
  return channel(name);
}
