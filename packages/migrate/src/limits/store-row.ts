import { constantOf } from '../source/constant.js';
import { importsOf } from '../source/imports.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, nameOf, returnedBy, type Syntax } from '../source/syntax.js';
import { CLIENT_SETTINGS, STORE_FAILURE } from './differences.js';
import type { GivenOption, LimitDraft, Row } from './limit-draft.js';
import { storeFailure } from './option-table.js';
import { keySpaceOf, writeKeySpace } from './key-space.js';
import { classOfStore, countsInMemory } from './memory-class.js';
import { clientOfAdapter, clientOfSender, optionIn, redisStoreText, type FoundClient } from './redis-client.js';

export interface StoreOptions {
  /** The option that names a limit. */
  readonly name?: string;
  /** Modules with stores of Redis, and their classes. */
  readonly stores: Readonly<Record<string, readonly string[]>>;
  /** The library, whose types a store of the program has. */
  readonly peer?: string;
  /** What its prefixes begin with. @default rl: */
  readonly word?: string;
  /** The class of the store in memory, which is the default. */
  readonly memory: string;
  /** The option that admits requests when the store fails. */
  readonly failure?: string;
}

const MEMORY = 'docs/guide/memory.md';

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
      const failing = onFailure && storeFailure(draft, onFailure, {});
      if (failing !== undefined) draft.write('onStoreFailure', failing);
    },
  };
}

/** A store as the program makes it. */
interface MadeStore {
  /** `new RedisStore({ … })` */
  readonly made: Syntax;
  /** What the limit has as its store: a name or a call, where the store is made elsewhere. */
  readonly written: Syntax;
  /** When there is a store at all. */
  readonly choice: Choice | undefined;
  readonly bindings: ReadonlyMap<string, Syntax>;
}

/** The store in the options: there, in a constant, or in a function that makes stores. */
function madeStore(file: SourceFile, value: Syntax): MadeStore | undefined {
  const known = file.valueOf(value);
  const choice = known && choiceIn(known);
  const written = choice && known === value ? choice.store : value;
  const store = choice?.store ?? known;
  const call = store?.type === 'CallExpression' ? store : undefined;
  const fn = call && file.valueOf(bare(call.callee as Syntax));
  const returned = fn && isFunction(fn) ? returnedBy(fn) : store && file.valueOf(store);
  if (returned?.type !== 'NewExpression') return undefined;
  const names = fn && isFunction(fn) ? (fn.params as Syntax[]).map((each) => bare(each).name as string) : [];
  const given = names.flatMap((name, index) => {
    const argument = call!.arguments[index] as Syntax | undefined;
    return argument ? [[name, argument] as const] : [];
  });
  return { made: returned, written, choice, bindings: new Map(given) };
}

/** True for a store of Redis, with a name. */
function readStore(
  draft: LimitDraft,
  { value, property }: GivenOption,
  options: StoreOptions,
  identifier?: string,
): boolean {
  const { file } = draft;
  const { stores, memory, word = 'rl:' } = options;
  const found = madeStore(file, value);
  const callee = found && bare(found.made.callee as Syntax);
  if (callee?.name === memory && !found!.choice) {
    if (found!.made !== value) draft.edits.push(...withoutConstant(file, value));
    return false;
  }
  const imported = importsOf(file, Object.keys(stores)).find(
    ({ local }) => local !== undefined && local === callee?.name,
  );
  const own = classOfStore(file, value);
  if (!imported && own && options.peer !== undefined && countsInMemory(own, options.peer)) {
    const name = own.node.id.name as string;
    draft.differs({
      text: `${name} counts in memory, as ours does without a store, and is used by no limit now.`,
      link: MEMORY,
    });
    return false;
  }
  if (!found || !imported || !stores[imported.module]!.includes(imported.exported)) {
    const what = `the store is ${file.textOf(callee ?? value)}, and only those of Redis and of memory are read`;
    draft.refuse(
      property,
      what,
      'write store: redisStore({ url }), none for memory, or your own: docs/guide/own-store.md',
    );
    return false;
  }
  const { made, written, choice, bindings } = found;
  const given = made.arguments[0] && bare(made.arguments[0] as Syntax);
  const client = clientOfStore(file, given);
  const name = client && draft.carry(client.client);
  if (!client || name === undefined) {
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
  const space = keySpaceOf(draft, prefix, { word, byDefault: word, bindings });
  if (!space) return false;
  const text = redisStoreText(name, client.kind);
  draft.use('@sluice/redis', 'redisStore', ...(client.kind === 'node-redis' ? ['clientOf'] : []));
  draft.differs(STORE_FAILURE, CLIENT_SETTINGS);
  const before = draft.outputs.length;
  writeKeySpace(draft, prefix ?? property, space, identifier);
  if (made === written) draft.write('store', text);
  else {
    draft.write('store', file.textOf(written));
    draft.edits.push({ start: made.start, end: made.end, text, ours: 'redisStore' });
    draft.changed.push(written.type === 'CallExpression' ? (written.callee as Syntax) : written);
  }
  if (choice) {
    const isHere = file.valueOf(value) === value;
    const condition = isHere ? draft.carry(choice.test) : file.textOf(value);
    const conditional = draft.outputs.slice(before).map(({ name: option, text: each }) => [option, each] as const);
    draft.outputs = draft.outputs.slice(0, before);
    draft.writeIf(choice.isNegated && isHere ? `!(${condition})` : condition, conditional);
  }
  return true;
}

/** The client in the options of a store: in its function that sends commands, or behind an adapter. */
function clientOfStore(file: SourceFile, options: Syntax | undefined): FoundClient | undefined {
  const sender = optionIn(options, 'sendCommand');
  if (sender) return clientOfSender(file, sender);
  const client = optionIn(options, 'client');
  return client && clientOfAdapter(file, client);
}

interface Choice {
  readonly test: Syntax;
  readonly store: Syntax;
  readonly isNegated: boolean;
}

/** A store that may be missing: `redis ? new RedisStore({ … }) : undefined`. */
function choiceIn({ type, test, consequent, alternate }: Syntax): Choice | undefined {
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
