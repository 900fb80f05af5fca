import { subscribe as listen, unsubscribe } from 'node:diagnostics_channel';
/**
 * Listens to events, for logs, metrics and alerts. What a listener throws does not reach a request: Node reports it as an
 * uncaught exception.
 *
 * @returns ends it
 */
export function subscribe(name, listener) {
    const onMessage = (event) => listener(event);
    listen(name, onMessage);
    return () => void unsubscribe(name, onMessage);
}
//# sourceMappingURL=events.js.map