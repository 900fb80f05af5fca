import type { Client } from './client.js';
import type { Demand } from './demand.js';
import type { Kind } from './kinds/kind.js';
import type { Selection } from './selection.js';

/** What a report says about one client. */
export interface ClientReport {
  readonly client: string;
  readonly kind: Kind;
  /** The signs of its kind, in words. */
  readonly evidence: string;
  /** That limits are tried on. */
  readonly requests: number;
  readonly denied: number;
  readonly deniedNow: number;
  /** Units in its busiest window of the first tier. 0 without a tier. */
  readonly busiest: number;
}

export interface ClientReportSetup {
  readonly demand: Demand;
  readonly isAnonymous: boolean;
  /** Those that the first tier sees, and its window. Undefined without a tier. */
  readonly first: { readonly selection: Selection; readonly window: number } | undefined;
}

/** Describes clients for a report. */
export class ClientReports {
  readonly #setup: ClientReportSetup;

  constructor(setup: ClientReportSetup) {
    this.#setup = setup;
  }

  of(client: Client): ClientReport {
    const { demand, first } = this.#setup;
    return {
      client: this.nameOf(client),
      ...demand.verdictOf(client),
      requests: demand.selected.countOf(client),
      denied: client.denied,
      deniedNow: client.deniedNow,
      busiest: first === undefined ? 0 : first.selection.mostIn(first.window, client),
    };
  }

  /** The same number for a client everywhere, with `--anonymize`. IPv6 as people write it. */
  nameOf({ name, index }: Client): string {
    return this.#setup.isAnonymous ? `client ${index + 1}` : shortAddress(name);
  }
}

/** `2001:db8:0:1:0:0:0:0/64` as `2001:db8:0:1::/64`: the longest run of groups that are 0. Other names as they are. */
export function shortAddress(name: string): string {
  const [, address, rest = ''] = /^((?:[\da-f]{1,4}:){7}[\da-f]{1,4})(\/\d+)?$/.exec(name) ?? [];
  if (address === undefined) return name;
  const runs = address.match(/(?:^|:)0(?::0)+(?=:|$)/g) ?? [];
  const [longest] = runs.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return name;
  const at = address.indexOf(longest);
  return `${address.slice(0, at)}::${address.slice(at + longest.length).replace(/^:/, '')}${rest}`;
}
