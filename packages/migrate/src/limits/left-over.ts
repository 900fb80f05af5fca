import type { Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, type Syntax } from '../source/syntax.js';
import type { LimitDraft, Unread } from './limit-draft.js';
import type { Instead, PeerProgram } from './peer.js';

/** A name of the library that no limit has taken along. */
export interface LeftOver extends Unread {
  /** True where no limit of the file can be translated without it. */
  readonly isOfAll: boolean;
}

/** The names that stay, without those of limits that were not read. */
export function leftOver(
  { peer, file }: PeerProgram,
  drafts: readonly LimitDraft[],
  left: readonly Use[],
): readonly LeftOver[] {
  const refused = drafts.filter(({ unread }) => unread.length > 0);
  return left
    .filter(({ node }) => !refused.some((draft) => draft.holds(node)))
    .filter(({ node, exported }) => !(peer.types?.[exported] && refused.some((draft) => draft.sharesStatement(node))))
    .map(({ node, exported, imported }) => ({
      line: file.lineOf(node),
      what: `${exported === 'default' ? imported.module : exported} ${wayOf(file, { node, exported, imported })}`,
      hand:
        handOf(peer.instead[exported], file, node) ??
        `keep ${imported.module} for it, or write it without that library`,
      isOfAll: !peer.isEach || peer.ofAll?.includes(exported) === true,
    }));
}

/** How the program uses a name. */
function wayOf(file: SourceFile, { node }: Use): string {
  const parent = file.parentOf(node);
  if (!parent) return 'is used in another way';
  if (parent.type === 'ExportSpecifier') return 'is exported again';
  if (parent.type.startsWith('TS')) return 'is used as a type';
  if (parent.type.startsWith('Class') && parent.superClass === node) return 'has a class of its own';
  if (parent.type === 'BinaryExpression') return `is compared by ${parent.operator as string}`;
  if (parent.type === 'NewExpression' && bare(parent.callee) === node) return 'is made outside a limit';
  if (parent.type === 'CallExpression' && parent.callee === node) return 'is called outside a limit';
  if (parent.type === 'CallExpression') return `is passed to ${file.textOf(parent.callee)}`;
  return 'is used in another way';
}

function handOf(instead: Instead | undefined, file: SourceFile, node: Syntax): string | undefined {
  return typeof instead === 'function' ? instead(file, node) : instead;
}
