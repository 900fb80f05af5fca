// @sluice/migrate rewrites the limits of other libraries as limits of Sluice. Source files enter, and edits and notes
// leave. It imports no other package of Sluice; peers/ imports limits/, and limits/ imports source/.
import { readFile, writeFile } from 'node:fs/promises';
import { ExitCode } from './exit-code.js';
import { edited } from './source/edit.js';
import { Application } from './source/application.js';
import { loadParser, ParseProblem, type Parser } from './source/parse-source.js';
import type { SourceFile } from './source/source-file.js';
import { unusedEdits } from './source/unused.js';
import type { Peer, PeerProgram } from './limits/peer.js';
import { TierNames } from './limits/tier-names.js';
import { programOf, translate, untouched, type Translation } from './limits/translation.js';
import { PEERS } from './peers/peers.js';
import { mayHaveStranger, mentionsIn, strangersIn } from './strangers.js';
import { printMigration, type Migration } from './print-migration.js';
import { programPaths } from './program-paths.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

export interface MigrateOptions {
  readonly write?: boolean;
}

/** Programs are shorter; bundles are not, and take long to read. */
const LARGEST = 2 ** 20;

/** Prints programs of other libraries as programs of Sluice, and writes them with `--write`. */
export async function migrate(
  paths: readonly string[],
  { write = false }: MigrateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const texts = new Map<string, string>();
  for (const path of await programPaths(paths)) texts.set(path, await textOf(path));
  const migration = await migrationOf(texts);
  if (write) {
    for (const [path, text] of migration.changed) if (text !== texts.get(path)) await writeText(path, text);
  }
  await printMigration(terminal, migration, write);
  if (migration.problems.length > 0) return ExitCode.usage;
  const isFound = migration.strangers.length > 0 || migration.translations.some(({ unread }) => unread.length > 0);
  return isFound ? ExitCode.found : ExitCode.fine;
}

/** Translates programs, by their paths. */
export async function migrationOf(texts: ReadonlyMap<string, string>): Promise<Migration> {
  const files: SourceFile[] = [];
  const problems: Migration['problems'][number][] = [];
  const parse = await loadParser();
  const words = PEERS.flatMap(({ name, companions }) => [name, ...companions]);
  // A guard of the program has a name of its own, where it is used.
  const mayGuard = [...texts.values()].some((text) => text.includes('@nestjs/throttler'));
  for (const [path, text] of texts) {
    // The others take no time to read.
    const mayCount =
      words.some((word) => text.includes(word)) ||
      /rateLimit|Throttle|resetKey/.test(text) ||
      (mayGuard && /APP_GUARD|UseGuards|useGlobalGuards/.test(text));
    if (!mayCount && !mayHaveStranger(text)) continue;
    const file = text.length > LARGEST ? new ParseProblem(1, 'has more than 1 MB') : parse(path, text);
    if (!(file instanceof ParseProblem)) files.push(file);
    else if (mayCount) problems.push({ path, line: file.line, message: file.message });
  }
  const translations = translated(files, texts, parse);
  const changed = new Map([...texts, ...translations.map(({ file, text }) => [file.path, text] as const)]);
  const used = new Set(translations.filter(({ file, text }) => text !== file.text).map(({ peer }) => peer));
  const strangers = files.flatMap((file) => [
    ...strangersIn(file),
    ...[...used].flatMap((peer) => mentionsIn(file, peer)),
  ]);
  return { translations, problems, strangers, texts, changed, remove: removable(translations, [...changed.values()]) };
}

/** One library after the other, because a program may use several. Their tiers have different names, as their keys had. */
function translated(files: readonly SourceFile[], texts: ReadonlyMap<string, string>, parse: Parser): Translation[] {
  const names = new TierNames();
  const current = new Map(files.map((file) => [file.path, file]));
  const application = new Application(texts, (path) => {
    const known = current.get(path) ?? parsed(parse, path, texts.get(path)!);
    if (known) current.set(path, Object.assign(known, { application }));
    return known;
  });
  for (const file of files) file.application = application;
  const translations: Translation[] = [];
  for (const peer of PEERS) {
    const run = { names, files: files.map(({ path }) => current.get(path)!) };
    const programs = run.files.map((file) => programOf(file, peer, run)).filter((each) => each !== undefined);
    const isWhole = peer.isWhole(run.files);
    const each = programs.map((program) => checked(parse, program, translate(program, isWhole)));
    const lines = linesIn(files, { peer, isWhole });
    for (const [translation, file] of isWhole ? together(each) : each) {
      translations.push({ ...translation, unread: lines(translation) });
      file.application = application;
      current.set(translation.file.path, file);
    }
  }
  return translations;
}

function parsed(parse: Parser, path: string, text: string): SourceFile | undefined {
  const file = text.length > LARGEST ? undefined : parse(path, text);
  return file instanceof ParseProblem ? undefined : file;
}

/** What a library was not read for, by the lines of the file: a library before it may have changed them. */
function linesIn(files: readonly SourceFile[], { peer, isWhole }: { readonly peer: Peer; readonly isWhole: boolean }) {
  return ({ file, unread }: Translation): Translation['unread'] => {
    const original = files.find(({ path }) => path === file.path)!;
    const program =
      original === file || unread.length === 0
        ? undefined
        : programOf(original, peer, { names: new TierNames(), files });
    return program ? translate(program, isWhole).unread : unread;
  };
}

type Checked = readonly [Translation, SourceFile];

/** What the parser would not read is not written, nor a name that nothing declares any more. */
function checked(parse: Parser, { imports }: PeerProgram, translation: Translation): Checked {
  const { file, text, peer } = translation;
  if (text === file.text) return [translation, file];
  const read = parse(file.path, text);
  const hand = 'report it, and write it by the guide';
  if (read instanceof ParseProblem)
    return [untouched(peer, file, [{ line: 1, what: 'the translation is no program', hand }]), file];
  const lost = imports.find(
    ({ local }) => local !== undefined && read.has(local) && read.declarationsOf(local).length === 0,
  );
  if (!lost) return withoutUnused(parse, translation, read);
  const what = `the translation needs ${lost.local}, which it does not import`;
  return [untouched(peer, file, [{ line: file.lineOf(lost.from), what, hand }]), file];
}

/** A translation without what only options needed which it has dropped, and what only that needed. */
function withoutUnused(parse: Parser, translation: Translation, read: SourceFile): Checked {
  const edits = unusedEdits(translation.file, read);
  if (edits.length === 0) return [translation, read];
  const text = edited(read.text, edits);
  const again = parse(read.path, text);
  if (again instanceof ParseProblem) return [translation, read];
  return withoutUnused(parse, { ...translation, text }, again);
}

/** All of an application, or nothing of it. */
function together(translations: readonly Checked[]): readonly Checked[] {
  // The tests of a guard that is gone are left to their author.
  if (translations.every(([{ unread, file }]) => unread.length === 0 || file.isTest)) return translations;
  return translations.map(([{ peer, file, text, unread, isHeld }]) => [
    {
      ...untouched(peer, file, unread),
      isHeld: isHeld || text !== file.text,
      ...(text === file.text ? {} : { waiting: text }),
    },
    file,
  ]);
}

/** The packages that no file of the run names any more, in imports, mocks or comments with types. */
function removable(translations: readonly Translation[], texts: readonly string[]): string[] {
  const removed = new Set(translations.flatMap((each) => each.removed));
  return [...removed].filter((module) => {
    const name = new RegExp(`['"\`]${module.replaceAll(/[/.]/g, String.raw`\$&`)}(/[^'"\`]*)?['"\`]`);
    return !texts.some((text) => name.test(text));
  });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`${path}: there is no such file`);
    throw code === undefined ? error : new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new UsageError(`--write: ${(error as Error).message}`);
  }
}
