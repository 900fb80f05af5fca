import { channel, type Channel } from 'node:diagnostics_channel';
import type { SluiceEvents } from './events.js';

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

function channelOf<Name extends keyof SluiceEvents>(name: Name): Channel<unknown, SluiceEvents[Name]> {
  return channel(name) as Channel<unknown, SluiceEvents[Name]>;
}
