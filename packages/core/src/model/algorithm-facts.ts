export type AlgorithmName =
  | 'fixed-window'
  | 'sliding-window'
  | 'sliding-window-log'
  | 'token-bucket'
  | 'leaky-bucket'
  | 'multi-window'
  | 'concurrency'
  | 'backoff'
  | 'pause'
  | 'balance';

/** The two letters of an algorithm in keys and in names of scripts. */
export type AlgorithmCode = 'fw' | 'sw' | 'sl' | 'tb' | 'lb' | 'mw' | 'cc' | 'bo' | 'pz' | 'ba';

/** The codes of the Lua twins: `fn` is a fixed window that gives notices, `cw` a limit in flight that
 * requests wait for, `cf` one that callers share. */
export type TwinCode = AlgorithmCode | 'fn' | 'cw' | 'cf';

/** What every room may ask of the algorithm that a policy carries. Its steps are for stores: `Algorithm`. */
export interface AlgorithmFacts {
  /** As the option `algorithm` says it. */
  readonly name: AlgorithmName;
  /** Two letters that stand for it in keys. Algorithms of one code store their states under the same keys. */
  readonly code: AlgorithmCode;
  /** The code of its Lua twin. */
  readonly twin: TwinCode;
  /** In JSON a policy has the name of its algorithm. */
  toJSON(): AlgorithmName;
}

/** The text of an algorithm in JSON: its `toJSON`. */
export function nameInJson(this: AlgorithmFacts): AlgorithmName {
  return this.name;
}
