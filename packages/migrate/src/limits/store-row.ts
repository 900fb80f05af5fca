import { constantOf } from '../source/constant.js';
import { importsOf } from '../source/imports.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, nameOf, type Syntax } from '../source/syntax.js';
import { CLIENT_SETTINGS, STORE_FAILURE } from './differences.js';
import type { GivenOption, LimitDraft, Row } from './limit-draft.js';
import { readFailure } from './rows.js';
import { keySpaceOf, writeKeySpace } from './key-space.js';
import { clientOfSender, optionIn, redisStoreText } from './redis-client.js';

export interface StoreOptions {
  /** The option that names a limit. */
  readonly name?: string;
  /** Modules with stores of Redis, and their classes. */
  readonly stores: Readonly<Record<string, readonly string[]>>;
  /** The class of the store in memory, which is the default. */
  readonly memory: string;
  /** The option that admits requests when the store fails. */
  readonly failure?: string;
}

/** Where is counted, and under which name. */
export function storeRow(options: StoreOptions): Row {
  const { name = '', failure = '' } = options;
  return {
    options: ['store', ...[name, failure].filter((each) => each !== '')],
    read: (draft, { store, [name]: identifier, [failure]: onFailure }) => {
      const own = identifier && constantOf(draft.file, identifier.value);
      if (identifier && typeof own !== 'string') {
        draft.refuse(identifier.property, `${name} is no text`, 'write name');
      }
      const isShared =
        store !== undefined && readStore(draft, store, options, typeof own === 'string' ? own : undefined);
      if (!isShared && typeof own === 'string') draft.write('name', `'${draft.takeName(own)}'`);
      if (onFailure) readFailure(draft, onFailure);
    },
  };
}

/** True for a store of Redis, with a name. */
function readStore(
  draft: LimitDraft,
  { value, property }: GivenOption,
  { stores, memory }: StoreOptions,
  own?: string,
): boolean {
  const { file } = draft;
  const known = file.valueOf(value);
  const choice = known && choiceIn(known);
  const made = choice?.store ?? known;
  const callee = made?.type === 'NewExpression' ? bare(made.callee) : undefined;
  if (callee?.name === memory && !choice) {
    if (made !== value) draft.edits.push(...withoutConstant(file, value));
    return false;
  }
  const imported = importsOf(file, Object.keys(stores)).find(
    ({ local }) => local !== undefined && local === callee?.name,
  );
  if (!made || !imported || !stores[imported.module]!.includes(imported.exported)) {
    const what = `the store is ${file.textOf(made?.type === 'NewExpression' ? (made.callee as Syntax) : value)}, and only those of Redis and of memory are read`;
    draft.refuse(
      property,
      what,
      'write store: redisStore({ url }), none for memory, or your own: docs/guide/own-store.md',
    );
    return false;
  }
  const given = made.arguments[0] && bare(made.arguments[0] as Syntax);
  const sender = optionIn(given, 'sendCommand');
  const found = sender && clientOfSender(file, sender);
  const client = found && draft.carry(found.client);
  if (!found || client === undefined) {
    draft.refuse(property, 'the client of the store was not found', 'use redisStore({ url }), or redisStore(client)');
    return false;
  }
  const other = strangerIn(file, given);
  if (other) {
    draft.refuse(
      other,
      `${other.type === 'Property' ? (nameOf(other) ?? 'an option') : 'a spread'} of the store has no equal`,
      'remove it, or write store and prefix',
    );
    return false;
  }
  const prefix = optionIn(given, 'prefix');
  const space = keySpaceOf(draft, prefix, { word: 'rl:', byDefault: 'rl:' });
  if (!space) return false;
  const text = redisStoreText(client, found.kind);
  draft.use('@sluice/redis', 'redisStore', ...(found.kind === 'node-redis' ? ['clientOf'] : []));
  draft.differs(STORE_FAILURE, CLIENT_SETTINGS);
  const before = draft.outputs.length;
  writeKeySpace(draft, prefix ?? property, space, own);
  if (known === value) draft.write('store', text);
  else {
    draft.write('store', file.textOf(value));
    draft.edits.push({ start: made.start, end: made.end, text });
    draft.changed.push(value);
  }
  if (choice) {
    const condition = known === value ? draft.carry(choice.test) : file.textOf(value);
    const options = draft.outputs.slice(before).map(({ name, text: each }) => [name, each] as const);
    draft.outputs = draft.outputs.slice(0, before);
    draft.writeIf(choice.isNegated && known === value ? `!(${condition})` : condition, options);
  }
  return true;
}

/** A store that may be missing: `redis ? new RedisStore({ … }) : undefined`. */
function choiceIn({ type, test, consequent, alternate }: Syntax) {
  if (type !== 'ConditionalExpression') return undefined;
  const [one, other] = [bare(consequent as Syntax), bare(alternate as Syntax)];
  const isNone = (node: Syntax) => node.name === 'undefined' || (node.type === 'Literal' && node.value === null);
  if (isNone(one) === isNone(other)) return undefined;
  return { test: test as Syntax, store: isNone(one) ? other : one, isNegated: isNone(one) };
}

/** The statement of a constant that only this limit reads. */
function withoutConstant(file: SourceFile, value: Syntax): Edit[] {
  const [declaration] = file.declarationsOf(value.name as string);
  const statement = declaration && file.parentOf(file.parentOf(declaration)!);
  const isAlone = statement?.declarations?.length === 1 && file.referencesOf(value.name as string).length === 1;
  if (!isAlone || file.parentOf(statement)?.type.startsWith('Export')) return [];
  const behind = /^[ \t]*\r?\n/.exec(file.text.slice(statement.end))?.[0].length ?? 0;
  return [{ start: statement.start, end: statement.end + behind, text: '' }];
}

/** An option of the store that ours does not have. */
function strangerIn(file: SourceFile, options: Syntax): Syntax | undefined {
  return (options.properties as Syntax[]).find((each) => {
    const name = each.type === 'Property' ? nameOf(each) : undefined;
    const isOff = name === 'resetExpiryOnChange' && constantOf(file, each.value) === false;
    // Versions before 3 had `client`, which programs still write and the others ignore.
    return !isOff && !['sendCommand', 'prefix', 'client'].includes(name ?? '');
  });
}
