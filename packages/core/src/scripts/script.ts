/** A Lua script that Redis runs. */
export interface Script {
  readonly source: string;
  /** The SHA-1 of the source, by which Redis caches it. */
  readonly sha: string;
  /** The same script for clients that read bytes: its numbers come as doubles, not as an array. */
  readonly packed?: { readonly source: string; readonly sha: string };
}
