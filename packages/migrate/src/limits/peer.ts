import type { Edit } from '../source/edit.js';
import type { Imported, Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';
import type { LimitDraft, Row, Unread } from './limit-draft.js';
import type { TierNames } from './tier-names.js';

/** A program of a library, with what its reader needs. */
export interface Program {
  readonly peer: Peer;
  readonly file: SourceFile;
  readonly uses: readonly Use[];
  /** The names of the library in the program. */
  readonly theirs: readonly string[];
  readonly run: Run;
}

/** What all programs of one run share. */
export interface Run {
  readonly names: TierNames;
  /** Every file of the run. */
  readonly files: readonly SourceFile[];
}

/** What was read in a program. */
export interface ReadProgram {
  readonly drafts: readonly LimitDraft[];
  /** Edits of what reads the limits. */
  readonly edits?: readonly Edit[];
  /** What stands beside the limits, and keeps the file as it is. */
  readonly unread?: readonly Unread[];
}

/** What to do by hand, always or by how a program uses the name. */
export type Instead = string | ((file: SourceFile, node: Syntax) => string);

/** A library whose programs can be translated. */
export interface Peer {
  /** Its package. */
  readonly name: string;
  /** Packages that only programs with it use, such as its stores. */
  readonly companions: readonly string[];
  /** Ours. */
  readonly target: string;
  /** The page that has its table. */
  readonly guide: string;
  /** What becomes of each of its options: the guide has the same. */
  readonly table: readonly Row[];
  /** True where all files must be translated together, because both libraries use the same names of the framework. */
  readonly isWhole: (files: readonly SourceFile[]) => boolean;
  /** Why they must, as the end of a sentence. */
  readonly reason: string;
  /** True where a limit can be translated, and the others of its file not. */
  readonly isEach: boolean;
  /** Types of the library, and ours. */
  readonly types?: Readonly<Record<string, string | undefined>>;
  /** What takes the place of its other names, in words. */
  readonly instead: Readonly<Record<string, Instead | undefined>>;
  /** Names that tell of all limits: where one of them stays, no limit of its file is translated. */
  readonly ofAll?: readonly string[];
  /** True for programs that use the library through the framework, without an import. */
  readonly isIn?: (file: SourceFile, files: readonly SourceFile[]) => boolean;
  readonly read: (program: Program) => ReadProgram;
}

/** A program with what it takes from a library and its stores. */
export interface PeerProgram extends Program {
  readonly imports: readonly Imported[];
}
