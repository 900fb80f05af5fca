import type { Translation } from './limits/translation.js';
import type { Stranger } from './strangers.js';
import type { Terminal } from './terminal.js';

/** What a run has found. */
export interface Migration {
  readonly translations: readonly Translation[];
  /** Files that are no programs. */
  readonly problems: readonly { readonly path: string; readonly line: number; readonly message: string }[];
  /** Limiters that are named and not translated, and what else names a package. */
  readonly strangers: readonly Stranger[];
  /** All files of the run, before and after. */
  readonly texts: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, string>;
  /** Packages that no file of the run needs any more. */
  readonly remove: readonly string[];
}

/** Prints the diff, then what stays different, what was not read, and what to install. */
export async function printMigration(terminal: Terminal, migration: Migration, isWritten: boolean): Promise<void> {
  const { translations, problems, strangers, remove, texts } = migration;
  const changed = translations.filter(({ file, text }) => text !== file.text);
  const paths = [...texts.keys()].filter((path) => texts.get(path) !== migration.changed.get(path));
  const diffs = await Promise.all(paths.map((path) => diffOf(path, texts.get(path)!, migration.changed.get(path)!)));
  const differences = [...new Set(changed.flatMap((each) => each.differences))];
  const unread = [
    ...problems.map(({ path, line, message }) => ({
      place: `${path}:${line}`,
      what: message,
      hand: 'correct the file',
    })),
    ...translations.flatMap(({ file, unread: own, peer }) =>
      own.map(({ line, what, hand }) => ({ place: `${file.path}:${line}`, what, hand, guide: peer.guide })),
    ),
    ...strangers.map(({ path, line, what, hand, guide }) => ({ place: `${path}:${line}`, what, hand, guide })),
  ];
  const install = [...new Set(changed.flatMap(({ packages }) => packages))];
  const held = translations.filter(({ waiting }) => waiting !== undefined);
  const waiting = await Promise.all(held.map(({ file, waiting: text }) => diffOf(file.path, file.text, text!)));
  if (terminal.isJson) {
    const files = paths.map((path, index) => ({
      file: path,
      from: changed
        .filter(({ file }) => file.path === path)
        .map(({ peer }) => peer.name)
        .join(', '),
      diff: diffs[index],
      text: migration.changed.get(path),
    }));
    const waits = held.map(({ file }, index) => ({ file: file.path, diff: waiting[index] }));
    return terminal.document({ files, waiting: waits, differences, unread, install, remove, written: isWritten });
  }
  for (const diff of diffs) printDiff(terminal, diff);
  printList(
    terminal,
    'Stays different:',
    differences.map(({ text, link }) => [text, ` ${link}`]),
  );
  printList(
    terminal,
    'Not read, and left alone:',
    unread.map((each) => [
      `${each.place} ${each.what}: ${each.hand}.`,
      'guide' in each ? ` ${each.guide as string}` : '',
    ]),
  );
  // Beside the output, which is a patch of what can be written now.
  if (waiting.length > 0) terminal.note(`Would change once the places above are done:\n${waiting.join('')}`);
  if (install.length > 0) terminal.print(`npm install ${install.join(' ')}`);
  if (remove.length > 0) terminal.print(`npm uninstall ${remove.join(' ')}`);
  if (translations.length + problems.length + strangers.length === 0)
    return terminal.note(`none of ${texts.size} files uses a limiter that this command reads`);
  if (changed.length + unread.length === 0) return terminal.note('there is nothing to translate');
  terminal.note(summaryOf(migration, { changed: paths.length, unread: unread.length, isWritten }));
  if (paths.length > 0 && !isWritten) terminal.note('nothing was written: add --write');
}

interface Figures {
  readonly changed: number;
  readonly unread: number;
  readonly isWritten: boolean;
}

/** `7 of 20 files would change; 2 places are left alone; …` */
function summaryOf({ texts, translations }: Migration, { changed, unread, isWritten }: Figures): string {
  const held = translations.filter(({ isHeld }) => isHeld);
  const reasons = [...new Set(held.map(({ peer }) => peer.reason))].join(', and ');
  return [
    `${changed} of ${counted(texts.size, 'file')} ${isWritten ? 'changed' : 'would change'}`,
    ...(unread === 0 ? [] : [`${counted(unread, 'place')} ${unread === 1 ? 'is' : 'are'} left alone`]),
    ...(held.length === 0 ? [] : [`${counted(held.length, 'file')} would change without them, because ${reasons}`]),
  ].join('; ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function printList(terminal: Terminal, title: string, lines: readonly (readonly [string, string])[]): void {
  if (lines.length === 0) return;
  terminal.print({ style: 'bold', text: title });
  for (const [text, link] of lines) terminal.print(`- ${text}`, { style: 'dim', text: link });
  terminal.print('');
}

async function diffOf(path: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  });
}

function printDiff(terminal: Terminal, diff: string): void {
  for (const line of diff.trimEnd().split('\n')) {
    const style = ({ '+': 'green', '-': 'red' } as const)[line[0]!];
    terminal.printSource(line, style);
  }
  terminal.print('');
}
