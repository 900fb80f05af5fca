import type { MaybePromise } from '../async/maybe-promise.js';
import type { Decision } from '../model/decision.js';
import type { Lines } from '../waiting/lines.js';
import type { ConsumeOptions } from './arguments.js';
import type { Corrections } from './decisions/corrections.js';
import type { DirectPipeline } from './direct-pipeline.js';
import type { LimiterParts } from './limiter-parts.js';
import type { Pipeline } from './pipeline.js';

/** A registered symbol, so that another copy of this package finds what a limiter consists of. */
export const PIPED = Symbol.for('sluice.piped.2');

/** A limiter whose requests can take another pipeline. */
export interface Piped<S> extends LimiterParts<S> {
  /** The one that it begins with. */
  readonly direct: DirectPipeline<S>;
  readonly corrections: Corrections;
  /** Work that waits in this process. */
  readonly lines: Lines<Decision>;
  /**
   * Consumes for work that may wait for a permit.
   *
   * @param wait in milliseconds. @default as long as its tier says
   * @param hasOthers other work waits in the same line
   */
  consume(subject: S, options: ConsumeOptions, wait: number | undefined, hasOthers?: boolean): MaybePromise<Decision>;
  /** The digest of the text of an identity, as in its keys. */
  digestOf(text: string): string;
  /** Puts a pipeline in the place of the one before, from the next request on, and compiles the plans with it. */
  use(pipeline: Pipeline<S>): void;
}
