import type { DirectPipeline } from './direct-pipeline.js';
import type { LimiterParts } from './limiter-parts.js';
import type { Pipeline } from './pipeline.js';

/** A registered symbol, so that another copy of this package finds what a limiter consists of. */
export const PIPED = Symbol.for('sluice.piped.1');

/** A limiter whose requests can take another pipeline. */
export interface Piped<S> extends LimiterParts<S> {
  /** The one that it begins with. */
  readonly direct: DirectPipeline<S>;
  /** The digest of the text of an identity, as in its keys. */
  digestOf(text: string): string;
  /** Puts a pipeline in the place of the one before, from the next request on, and compiles the plans with it. */
  use(pipeline: Pipeline<S>): void;
}
