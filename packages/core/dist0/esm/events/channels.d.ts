import { type Channel } from 'node:diagnostics_channel';
/** The channels to publish on. Ask `hasSubscribers` first: without them an event costs nothing. */
export declare const channels: {
    decision: Channel<unknown, import("./events.js").DecisionEvent>;
    storeCall: Channel<unknown, import("./events.js").StoreCallEvent>;
    breaker: Channel<unknown, import("./events.js").BreakerEvent>;
    lateReply: Channel<unknown, import("./events.js").LateReplyEvent>;
    degraded: Channel<unknown, import("./events.js").DegradedEvent>;
    configFault: Channel<unknown, import("./events.js").ConfigFaultEvent>;
};
//# sourceMappingURL=channels.d.ts.map