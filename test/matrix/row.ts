export type Axis = 'node' | 'servers' | 'clients' | 'frameworks';

/** A row of the support matrix: one version of one thing, and the specs that run on it. */
export interface Row {
  readonly axis: Axis;
  /** `Valkey 9`. `--only valkey-9` chooses it. */
  readonly name: string;
  /** Undefined for the whole suite. */
  readonly specs?: Specs;
  /** Downloads what the row needs. Throws a `Gap` if it cannot run on this machine. */
  prepare(): Promise<Setting>;
}

/** The specs that depend on one of these files, and those whose path matches. */
export interface Specs {
  readonly dependOn: readonly string[];
  readonly match?: RegExp;
  readonly except: RegExp;
}

/** Where and with what the specs of a row run. */
export interface Setting {
  /** The exact version: `9.1.2`. */
  readonly version: string;
  /** The workspace, or a copy of it. */
  readonly folder: string;
  /** Added to the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Removes what only this row needs. */
  dispose(): Promise<void>;
}

/** The reason why a row cannot run on this machine. */
export class Gap extends Error {
  override name = 'Gap';
}

/** The text that chooses a row: `node-24`, `nestjs-11`. */
export function slugOf({ name }: Pick<Row, 'name'>): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z\d.]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
