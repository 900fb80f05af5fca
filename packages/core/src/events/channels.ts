import { eventChannel, type EventChannel } from './event-channel.js';
import type { SluiceEvents } from './events.js';

/** Those of limiters and stores. */
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
};

function channelOf<Name extends keyof SluiceEvents & `sluice:${string}`>(name: Name): EventChannel<SluiceEvents[Name]> {
  return eventChannel(name);
}
