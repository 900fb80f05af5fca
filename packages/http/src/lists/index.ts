// lists/ is the entry for lists of addresses that change while the application runs, also in a store. Networks enter,
// and answers to "is this address listed?" leave. It imports networks, and no other room of the gate imports it.
export { ipList, type IpListOptions } from './ip-list.js';
export type { IpList, ListedNetwork } from '../networks/ip-list-interface.js';
