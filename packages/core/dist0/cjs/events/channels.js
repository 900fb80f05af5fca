"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.channels = void 0;
const node_diagnostics_channel_1 = require("node:diagnostics_channel");
/** The channels to publish on. Ask `hasSubscribers` first: without them an event costs nothing. */
exports.channels = {
    decision: channelOf('sluice:decision'),
    storeCall: channelOf('sluice:store-call'),
    breaker: channelOf('sluice:breaker'),
    lateReply: channelOf('sluice:late-reply'),
    degraded: channelOf('sluice:degraded'),
    configFault: channelOf('sluice:config-fault'),
};
function channelOf(name) {
    return (0, node_diagnostics_channel_1.channel)(name);
}
//# sourceMappingURL=channels.js.map