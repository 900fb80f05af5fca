import { readFile, stat, writeFile } from 'node:fs/promises';
import { ExitCode } from '../exit-code.js';
import { usage } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { ParseProblem, parseSource, type SourceFile } from './source/source-file.js';
import { TierNames } from './limits/tier-names.js';
import { programOf, translate, type Translation } from './limits/translation.js';
import { PEERS } from './peers/peers.js';
import { printMigration, type Migration } from './print-migration.js';

interface MigrateOptions {
  readonly write?: boolean;
}

/** Programs are shorter; bundles are not, and take long to read. */
const LARGEST = 2 ** 20;

/** Prints programs of other libraries as programs of Sluice, and writes them with `--write`. */
export async function migrate({ args, options, terminal }: Invocation<MigrateOptions>): Promise<ExitCode> {
  const texts = new Map<string, string>();
  for (const path of args) texts.set(path, await textOf(path));
  const migration = await migrationOf(texts);
  if (options.write) {
    for (const { file, text } of migration.translations) if (text !== file.text) await writeText(file.path, text);
  }
  await printMigration(terminal, migration, options.write === true);
  if (migration.problems.length > 0) return ExitCode.usage;
  return migration.translations.some(({ unread }) => unread.length > 0) ? ExitCode.found : ExitCode.fine;
}

/** Translates programs, by their paths. */
export async function migrationOf(texts: ReadonlyMap<string, string>): Promise<Migration> {
  const files: SourceFile[] = [];
  const problems: Migration['problems'][number][] = [];
  const words = PEERS.flatMap(({ name, companions }) => [name, ...companions]);
  for (const [path, text] of texts) {
    // The others take no time to read.
    if (!words.some((word) => text.includes(word)) && !/rateLimit|Throttle/.test(text)) continue;
    const file = text.length > LARGEST ? new ParseProblem(1, 'has more than 1 MB') : await parseSource(path, text);
    if (file instanceof ParseProblem) problems.push({ path, line: file.line, message: file.message });
    else files.push(file);
  }
  const translations: Translation[] = [];
  for (const translation of translated(files)) translations.push(await checked(translation));
  return { translations, problems, count: texts.size };
}

function translated(files: readonly SourceFile[]): Translation[] {
  return PEERS.flatMap((peer) => {
    const run = { names: new TierNames(), files };
    const programs = files.map((file) => programOf(file, peer, run)).filter((each) => each !== undefined);
    const each = programs.map(translate);
    return peer.isWhole ? together(each) : each;
  });
}

/** What the parser would not read is not written. */
async function checked(translation: Translation): Promise<Translation> {
  const { file, text } = translation;
  const read = text === file.text ? file : await parseSource(file.path, text);
  if (!(read instanceof ParseProblem)) return translation;
  const unread = [{ line: 1, what: 'the translation is no program', hand: 'report it, and write it by the guide' }];
  return { ...translation, text: file.text, differences: [], packages: [], removed: [], unread };
}

/** All of an application, or nothing of it. */
function together(translations: readonly Translation[]): readonly Translation[] {
  if (translations.every(({ unread }) => unread.length === 0)) return translations;
  return translations.map((each) => ({ ...each, text: each.file.text, differences: [], packages: [], removed: [] }));
}

async function textOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) throw usage(`${path} is a folder: name files, such as ${path}/*.ts`);
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw usage(`${path}: there is no such file`);
    throw code === undefined ? error : usage(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw usage(`--write: ${(error as Error).message}`);
  }
}
