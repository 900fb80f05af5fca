import { edited, type Edit } from '../source/edit.js';
import { importsOf, usesOf, type Imported, type Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { isIn, type Syntax } from '../source/syntax.js';
import { importEdits } from './import-edits.js';
import { keepLayout } from './layout.js';
import { leftOver } from './left-over.js';
import type { Difference, LimitDraft, Unread } from './limit-draft.js';
import type { Peer, PeerProgram, ReadProgram, Run } from './peer.js';

/** A program of a library, before and after. */
export interface Translation {
  readonly peer: Peer;
  readonly file: SourceFile;
  /** The translated program. The text of the file, if nothing in it was translated. */
  readonly text: string;
  readonly differences: readonly Difference[];
  readonly unread: readonly Unread[];
  /** True for a translation that waits for those of other files. */
  readonly isHeld?: boolean | undefined;
  /** What it would be without what keeps the others. */
  readonly waiting?: string | undefined;
  /** The packages of Sluice that it imports. */
  readonly packages: readonly string[];
  /** The packages that it no longer imports. */
  readonly removed: readonly string[];
}

/** Undefined for a program that takes nothing from the library. */
export function programOf(file: SourceFile, peer: Peer, run: Run): PeerProgram | undefined {
  const imports = importsOf(file, [peer.name, ...peer.companions]);
  // A store may be that of another library.
  const isOwn = (each: SourceFile) => importsOf(each, [peer.name]).length > 0;
  const isUsed = imports.length > 0 && (isOwn(file) || run.files.some(isOwn));
  if (!isUsed && !peer.isIn?.(file, run.files)) return undefined;
  const theirs = imports.flatMap(({ local }) => (local === undefined ? [] : [local]));
  return { peer, file, imports, theirs, uses: usesOf(file, imports), run };
}

/** Translates the limits of a program, each by itself. @param isWhole true where one must not be without the others */
export function translate(program: PeerProgram, isWhole: boolean): Translation {
  const { peer, file, imports } = program;
  const read = peer.read(program);
  const drafts = withoutShared(file, read.drafts);
  const done = drafts.filter(({ unread }) => unread.length === 0);
  const change = changeOf(program, read, done);
  const ofFile = [...shadowedIn(file, imports), ...takenIn(file, imports, change), ...(read.unread ?? [])];
  const ofLimits = drafts.flatMap((draft) => draft.unread);
  const left = leftOver(program, drafts, change.left);
  const isLeftAlone =
    change.edits.length === 0 ||
    ofFile.length > 0 ||
    left.some(({ isOfAll }) => isOfAll) ||
    ((isWhole || !peer.isEach) && ofLimits.length > 0);
  const others = left.map(({ line, what, hand }) => ({ line, what, hand }));
  const unread = dedupe([...ofFile, ...ofLimits, ...others]).toSorted((a, b) => a.line - b.line);
  if (isLeftAlone) return { ...untouched(peer, file, unread), isHeld: isWhole && change.edits.length > 0 };
  const { edits, wanted, kept } = change;
  const own = importEdits(file, { imports, kept, wanted: [...wanted].map(([name, alias]) => alias ?? name) });
  return {
    peer,
    file,
    text: edited(file.text, keepLayout(file, edits, own)),
    differences: [...new Set(done.flatMap((draft) => [...draft.differences]))],
    unread,
    packages: [...new Set([...(done.length > 0 ? [peer.target] : []), ...[...wanted.keys()].map(packageOf)])].filter(
      // Files of the program, and the framework that it has.
      (name) => !/^\.|^@nestjs\//.test(name),
    ),
    removed: [...new Set(imports.map(({ module }) => module))],
  };
}

/** A program that stays as it is. */
export function untouched(peer: Peer, file: SourceFile, unread: readonly Unread[]): Translation {
  return { peer, file, text: file.text, differences: [], packages: [], removed: [], unread };
}

/** What some limits of a program change in it. */
export interface Change {
  readonly edits: readonly Edit[];
  /** What the program imports from Sluice: `module name`, and the same with another name where theirs stays. */
  readonly wanted: ReadonlyMap<string, string | undefined>;
  /** What the program still takes from the library. */
  readonly kept: ReadonlySet<Imported>;
  /** Uses of the library that stay. */
  readonly left: readonly Use[];
}

function changeOf({ peer, uses, file }: PeerProgram, read: ReadProgram, done: readonly LimitDraft[]): Change {
  const { edits: others = [] } = read;
  const { types: renamed = {} } = peer;
  // What reads the limits changes with them, also in a file that has none.
  const isChanged = done.length > 0 || read.drafts.length === 0;
  const limitEdits = dedupe([...done.flatMap(({ edits }) => edits), ...(isChanged ? others : [])]);
  const isCovered = ({ node }: Use) => limitEdits.some((edit) => edit.start <= node.start && node.end <= edit.end);
  const open = uses.filter((use) => !isCovered(use));
  const isOfRead = ({ node }: Use) =>
    read.drafts.every((draft) => done.includes(draft) || !draft.sharesStatement(node));
  const types = open.filter((use) => renamed[use.exported] && isOfRead(use) && isChanged);
  const left = open.filter((use) => !types.includes(use));
  const kept = new Set(left.map(({ imported }) => imported).filter(({ local }) => local !== undefined));
  const names = new Set(done.flatMap((draft) => [...draft.imports]));
  for (const { exported } of types) names.add(`${peer.target} type ${renamed[exported]}`);
  const calledNames = new Set(limitEdits.flatMap((edit) => edit.ours ?? []));
  const isTaken = (name: string) =>
    calledNames.has(name) && file.declarationsOf(name).some((each) => !isImported(uses, each, file));
  const taken = [...[...kept].map(({ local }) => local), ...[...names].map(nameIn).filter(isTaken)];
  const wanted = new Map(
    [...names].map((name) => [name, taken.includes(nameIn(name)) ? `${name} as ${ALIAS}` : undefined]),
  );
  const edits = limitEdits.map(({ ours, ...edit }) =>
    ours !== undefined && taken.includes(ours) ? { ...edit, text: edit.text.replace(ours, ALIAS) } : edit,
  );
  const typeEdits = types.map(({ node: { start, end }, exported }) => ({ start, end, text: renamed[exported]! }));
  return { edits: [...edits, ...typeEdits], wanted, kept, left };
}

/** True for a name that is an import of the library. */
function isImported(uses: readonly Use[], declaration: Syntax, file: SourceFile): boolean {
  return (
    uses.some(({ imported: { local, from } }) => local === declaration.name && isIn(declaration, from)) ||
    file.parentOf(declaration)?.type.startsWith('Import') === true
  );
}

/** Our function, where the program has another of the same name. */
const ALIAS = 'sluice';

function nameIn(wanted: string): string {
  return wanted.split(' ').at(-1)!;
}

/** `@sluice/express` of `@sluice/redis redisStore`. */
function packageOf(wanted: string): string {
  return wanted.split(' ')[0]!.split('/').slice(0, 2).join('/');
}

/** Refuses limits that change what a limit uses that was not read, such as a store of both. */
function withoutShared(file: SourceFile, drafts: readonly LimitDraft[]): readonly LimitDraft[] {
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    const refused = drafts.filter(({ unread }) => unread.length > 0);
    for (const draft of drafts.filter(({ unread }) => unread.length === 0)) {
      const shared = draft.changed.find((name) =>
        refused.some((other) => file.referencesIn(other.call, name.name as string).length > 0),
      );
      if (!shared) continue;
      isSettled = false;
      draft.refuse(draft.call, `${shared.name} is used by a limit that was not read`, 'correct that one first');
    }
  }
  return drafts;
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
function takenIn(file: SourceFile, imports: readonly Imported[], { wanted }: Change): Unread[] {
  return [...wanted]
    .map(([name, alias]) => nameIn(alias ?? name))
    .filter((name) => !imports.some(({ local }) => local === name))
    .flatMap((name) => file.declarationsOf(name).slice(0, 1))
    .map((node) => ({
      line: file.lineOf(node),
      what: `${node.name} is a name that Sluice has too`,
      hand: 'rename it, and run this again',
    }));
}

function dedupe<T extends Edit | Unread>(list: readonly T[]): T[] {
  return [...new Map(list.map((each) => [JSON.stringify(each), each])).values()];
}
