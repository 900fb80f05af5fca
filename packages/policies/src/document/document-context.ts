import type { KeyFunction } from '@sluice/core';
import type { PlanOf } from './plan-of-request.js';
import type { PolicyFeature } from './policy-features.js';

export type Named<T> = Readonly<Record<string, T>>;

/** What the code of the application gives to a file. */
export interface DocumentContext<S> {
  /** Key functions by the names that the file has for them. */
  readonly keys: Named<KeyFunction<S>>;
  /** The name of the plan of a subject. */
  readonly plans: PlanOf<S> | undefined;
  /** What the texts of some options stand for. @default none */
  readonly features?: readonly PolicyFeature[];
  /** Takes any name of a key or plan: for tools, which do not have the code of the application. @default false */
  readonly takesAnyName?: boolean;
}
