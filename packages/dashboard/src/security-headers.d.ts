import type { ServerResponse } from 'node:http';
/** Replaces what helmet has set: its `upgrade-insecure-requests` breaks a page over plain HTTP. */
export declare function setSecurityHeaders(response: ServerResponse): void;
