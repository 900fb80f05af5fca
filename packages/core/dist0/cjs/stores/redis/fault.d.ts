/**
 * What an error says of a server. `infrastructure`: it, or the way to it, is in trouble. `configuration`: it refuses, and
 * will until somebody changes something. `request`: it is well, and a request or a script is at fault.
 */
export type Fault = 'infrastructure' | 'configuration' | 'request';
/** @param error as a client reports it: of a reply, or of the connection */
export declare function faultOf(error: Error): Fault;
//# sourceMappingURL=fault.d.ts.map