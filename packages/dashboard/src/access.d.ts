import type { IncomingMessage } from 'node:http';
/**
 * Decides whether a request may see the dashboard: `true`, or the name of the person, which `sluice:audit` reports. `true`
 * instead of a function lets everybody in.
 */
export type Authorize = true | ((request: IncomingMessage) => Access | Promise<Access>);
type Access = boolean | string | undefined;
/** @returns false for a request that may not see the dashboard, and a name if one is known */
export declare function accessOf(request: IncomingMessage, authorize: Authorize | undefined): Promise<boolean | string>;
/**
 * True for a request of the dashboard's own page, or of a program: a page of another site could send one with the cookies
 * of its visitor.
 */
export declare function isSameOrigin({ headers }: IncomingMessage): boolean;
export {};
