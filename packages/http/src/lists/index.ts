// Lists of addresses that change while the application runs: an entry of its own, for the programs that have one.
export { ipList, type IpListOptions } from './ip-list.js';
export type { IpList, ListedNetwork } from '../networks/ip-list-interface.js';
