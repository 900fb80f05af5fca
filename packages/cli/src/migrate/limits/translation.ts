import { edited, type Edit } from '../source/edit.js';
import { importsOf, usesOf, type Imported, type Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { HANDS, type Difference, type LimitDraft, type Unread } from './limit-draft.js';
import { importEdits } from './import-edits.js';
import type { Peer, Program, ReadProgram, Run } from './peer.js';

/** A program of a library, before and after. */
export interface Translation {
  readonly peer: Peer;
  readonly file: SourceFile;
  /** The translated program. The text of the file, if anything in it was not read. */
  readonly text: string;
  readonly differences: readonly Difference[];
  readonly unread: readonly Unread[];
  /** The packages of Sluice that it imports. */
  readonly packages: readonly string[];
  /** The packages that it no longer imports. */
  readonly removed: readonly string[];
}

/** A program with what it takes from a library and its stores. */
export interface PeerProgram extends Program {
  readonly peer: Peer;
  readonly imports: readonly Imported[];
}

/** Undefined for a program that takes nothing from the library. */
export function programOf(file: SourceFile, peer: Peer, run: Run): PeerProgram | undefined {
  const imports = importsOf(file, [peer.name, ...peer.companions]);
  if (imports.length === 0 && !peer.isIn?.(file, run.files)) return undefined;
  const theirs = imports.flatMap(({ local }) => (local === undefined ? [] : [local]));
  return { peer, file, imports, theirs, uses: usesOf(file, imports), run };
}

/** Translates all limits of a program, or none: half of them would count apart from the other half. */
export function translate(program: PeerProgram): Translation {
  const { peer, file, imports, uses } = program;
  const { drafts, renamed = {}, unread = [] }: ReadProgram = peer.read(program);
  const limitEdits = dedupe(drafts.flatMap(({ edits }) => edits));
  const left = uses.filter(({ node }) => !isCovered(node, limitEdits));
  const typeEdits = left
    .filter(({ exported }) => renamed[exported])
    .map(({ node: { start, end }, exported }) => ({ start, end, text: renamed[exported]! }));
  const wanted = new Set(drafts.flatMap((draft) => [...draft.imports]));
  for (const { exported } of left) if (renamed[exported]) wanted.add(`${peer.target} type ${renamed[exported]}`);
  const problems = dedupe([
    ...shadowedIn(file, imports),
    ...takenIn(file, imports, wanted),
    ...unread,
    ...drafts.flatMap((draft) => draft.unread),
    ...leftOver(
      file,
      left.filter(({ exported }) => !renamed[exported]),
      drafts,
    ),
  ]);
  const edits = [...limitEdits, ...typeEdits];
  const isRead = problems.length === 0 && edits.length > 0;
  return {
    peer,
    file,
    text: isRead ? edited(file.text, [...edits, ...importEdits(file, imports, wanted)]) : file.text,
    differences: isRead ? [...new Set(drafts.flatMap((draft) => [...draft.differences]))] : [],
    unread: problems.toSorted((a, b) => a.line - b.line),
    packages: isRead ? [...new Set([peer.target, ...[...wanted].map(packageOf)])] : [],
    removed: isRead ? [...new Set(imports.map(({ module }) => module))] : [],
  };
}

function isCovered({ start, end }: { readonly start: number; readonly end: number }, edits: readonly Edit[]): boolean {
  return edits.some((edit) => edit.start <= start && end <= edit.end);
}

/** `@sluice/express` of `@sluice/express/redis redisStore`. */
function packageOf(wanted: string): string {
  return wanted.split(' ')[0]!.split('/').slice(0, 2).join('/');
}

function shadowedIn(file: SourceFile, imports: readonly Imported[]): Unread[] {
  return imports
    .filter(({ local }) => local !== undefined && file.declarationsOf(local).length > 1)
    .map(({ local, from }) => ({
      line: file.lineOf(from),
      what: `${local} is declared more than once`,
      hand: 'give each its own name, and run this again',
    }));
}

/** Names that we would import, and that the program has already. */
function takenIn(file: SourceFile, imports: readonly Imported[], wanted: ReadonlySet<string>): Unread[] {
  const names = [...wanted].map((each) => each.split(' ').at(-1)!);
  return names
    .filter((name) => !imports.some(({ local }) => local === name))
    .flatMap((name) => file.declarationsOf(name).slice(0, 1))
    .map((node) => ({
      line: file.lineOf(node),
      what: `${node.name} is a name that Sluice has too`,
      hand: 'rename it, and run this again',
    }));
}

/** Names of the library that no limit has taken along. */
function leftOver(file: SourceFile, left: readonly Use[], drafts: readonly LimitDraft[]): Unread[] {
  return left
    .filter(({ node }) => !drafts.some((draft) => draft.unread.length > 0 && draft.holds(node)))
    .map(({ node, exported, imported }) => ({
      line: file.lineOf(node),
      what: `${exported === 'default' ? imported.module : exported} is used in another way`,
      hand: HANDS[exported] ?? 'replace it, and run this again',
    }));
}

function dedupe<T extends Edit | Unread>(list: readonly T[]): T[] {
  return [...new Map(list.map((each) => [JSON.stringify(each), each])).values()];
}
