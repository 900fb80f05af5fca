import { channel } from 'node:diagnostics_channel';
/** The channels to publish on. Ask `hasSubscribers` first: without them an event costs nothing. */
export const channels = {
    decision: channelOf('sluice:decision'),
    storeCall: channelOf('sluice:store-call'),
    breaker: channelOf('sluice:breaker'),
    lateReply: channelOf('sluice:late-reply'),
    degraded: channelOf('sluice:degraded'),
    configFault: channelOf('sluice:config-fault'),
};
function channelOf(name) {
    return channel(name);
}
//# sourceMappingURL=channels.js.map