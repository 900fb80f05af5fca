"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.subscribe = subscribe;
const node_diagnostics_channel_1 = require("node:diagnostics_channel");
/**
 * Listens to events, for logs, metrics and alerts. What a listener throws does not reach a request: Node reports it as an
 * uncaught exception.
 *
 * @returns ends it
 */
function subscribe(name, listener) {
    const onMessage = (event) => listener(event);
    (0, node_diagnostics_channel_1.subscribe)(name, onMessage);
    return () => void (0, node_diagnostics_channel_1.unsubscribe)(name, onMessage);
}
//# sourceMappingURL=events.js.map