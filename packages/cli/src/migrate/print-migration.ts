import type { Terminal } from '../terminal/terminal.js';
import { bold, dim } from '../terminal/styled.js';
import type { Translation } from './limits/translation.js';

/** What a run has found. */
export interface Migration {
  readonly translations: readonly Translation[];
  /** Files that are no programs. */
  readonly problems: readonly { readonly path: string; readonly line: number; readonly message: string }[];
  /** Of all files of the run. */
  readonly count: number;
}

/** Prints the diff, then what stays different, what was not read, and what to install. */
export async function printMigration(terminal: Terminal, migration: Migration, isWritten: boolean): Promise<void> {
  const { translations, problems, count } = migration;
  const changed = translations.filter(({ file, text }) => text !== file.text);
  const diffs = await Promise.all(changed.map(diffOf));
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
  ];
  const install = [...new Set(changed.flatMap(({ packages }) => packages))];
  const remove = [...new Set(changed.flatMap(({ removed }) => removed))];
  if (terminal.isJson) {
    const files = changed.map(({ file, text, peer }, index) => ({
      file: file.path,
      from: peer.name,
      diff: diffs[index],
      text,
    }));
    return terminal.document({ files, differences, unread, install, remove, written: isWritten });
  }
  for (const diff of diffs) printDiff(terminal, diff);
  printList(
    terminal,
    'Stays different:',
    differences.map(({ text, link }) => [text, ` ${link}`]),
  );
  printList(
    terminal,
    'Not read, so the file is left alone:',
    unread.map((each) => [
      `${each.place} ${each.what}: ${each.hand}.`,
      'guide' in each ? ` ${each.guide as string}` : '',
    ]),
  );
  if (install.length > 0) terminal.print(`npm install ${install.join(' ')}`);
  if (remove.length > 0) terminal.print(`npm uninstall ${remove.join(' ')}`);
  if (translations.length + problems.length === 0)
    terminal.note(`none of ${count} files uses a limiter that this command reads`);
  else if (changed.length + unread.length === 0) terminal.note('there is nothing to translate');
  else if (changed.length > 0 && !isWritten) terminal.note('nothing was written: add --write');
}

function printList(terminal: Terminal, title: string, lines: readonly (readonly [string, string])[]): void {
  if (lines.length === 0) return;
  terminal.print(bold(title));
  for (const [text, link] of lines) terminal.print(`- ${text}`, dim(link));
  terminal.print('');
}

async function diffOf({ file, text }: Translation): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  return createTwoFilesPatch(file.path, file.path, file.text, text, undefined, undefined, {
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
