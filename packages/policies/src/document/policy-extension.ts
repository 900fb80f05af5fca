import type { ConfigError, KeyFunction } from '@sluice/core';

/**
 * What a program reads of a file beside its limits, below `extensions`. A program that does not bring it leaves that part
 * unread, so that all programs of a company can have one file.
 */
export interface PolicyExtension {
  /** The name of its part: `extensions: { server: … }`. */
  readonly extension: string;
  /**
   * The function of a key that neither Sluice nor the option `keys` has. Undefined for a name that is no key here, too.
   *
   * @param part of the file that it reads, of which nothing is checked yet
   * @default there is none
   */
  keyOf?(name: string, part: unknown): KeyFunction<never> | undefined;
  /** What to write so that a name is a key, as the end of a message. @default keys of openPolicies */
  readonly keyRemedy?: (name: string, part: unknown) => string;
  /**
   * Checks its part of a text, and returns what puts it in force: that is called in the turn in which the limits of the text
   * come in force.
   *
   * @throws ConfigError of `part.reader` or `part.fail`: then the text is refused
   */
  read(part: ExtensionPart): () => void;
}

/** A tier as a file has it. */
export interface ExtendedTier {
  readonly name: string;
  /** Its options, as they are written. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The name of its limiter. */
  readonly limiter: string;
}

/** The part of a file that an extension reads. */
export interface ExtensionPart {
  /** Undefined where the file has none. */
  readonly value: unknown;
  /** The tiers of the file, by their names. */
  readonly tiers: ReadonlyMap<string, ExtendedTier>;
  /** Reads options within the part. Its errors say line and column. @param path within the part */
  check<T>(path: readonly (string | number)[], read: () => T): T;
  /** The error for a value within the part, with its line and column. */
  fail(path: readonly (string | number)[], message: string): ConfigError;
}
