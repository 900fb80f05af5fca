import { PREFLIGHTS } from '../limits/differences.js';
import { objectOf } from '../limits/limit-calls.js';
import { LimitDraft, type Difference, type Unread } from '../limits/limit-draft.js';
import { readOptions } from '../limits/option-table.js';
import { optionEdits, optionsText } from '../limits/options-writer.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { TierNames } from '../limits/tier-names.js';
import { importsOf, usesOf, type Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { isClosed } from '../source/scope.js';
import { bare, isFunction, nameOf, type Syntax } from '../source/syntax.js';
import { GUIDE, TARGET, tableOf, type Inherited } from './fastify-options.js';

const NAME = '@fastify/rate-limit';

const WHOLE_SCOPE: Difference = { text: '404s are counted, and HEAD counts with GET.', link: `${GUIDE}#behaviour` };
const ORDER: Difference = {
  text: "The plugin's limit runs in the order of hooks: register it behind a hook that its key needs.",
  link: `${GUIDE}#behaviour`,
};
/** What the plugin's limit gives to the limits of routes, which ours do not inherit. */
const NOT_INHERITED = ['window', 'limit', 'algorithm', 'key', 'allow', 'skip', 'name'];

const THEIRS: Readonly<Record<string, string>> = {
  limit: 'max',
  window: 'timeWindow',
  key: 'keyGenerator',
  skip: 'allowList',
  allow: 'allowList',
};

interface Plugin {
  readonly draft: LimitDraft;
  readonly isGlobal: boolean;
  readonly inherited: Inherited;
  /** Those of which other files have all that they need. */
  readonly portable: ReadonlySet<string>;
}

function read(program: Program): ReadProgram {
  const own = pluginsIn(program.file, program.uses, program.run.names);
  const others = program.run.files
    .filter((file) => file !== program.file)
    .flatMap((file) => pluginsIn(file, usesOf(file, importsOf(file, [NAME])), new TierNames()));
  const [plugin, ...more] = [...own, ...others];
  const limits = plugin ? limitsIn(program, plugin) : [];
  const drafts = [...own.map(({ draft }) => draft), ...limits];
  const unread = [...strangers(program, plugin)];
  if (more.length > 0 && limits.length > 0) {
    unread.push({
      line: limits[0]!.line,
      what: 'the plugin is registered more than once',
      hand: 'translate each scope alone',
    });
  }
  return { drafts, unread };
}

/** The places where the plugin is registered. */
function pluginsIn(file: SourceFile, uses: readonly Use[], names: TierNames): Plugin[] {
  return uses.flatMap((use) => {
    // `register(rateLimit as any, …)`
    let whole = use.node;
    while (file.parentOf(whole)?.type.startsWith('TS')) whole = file.parentOf(whole)!;
    const call = file.parentOf(whole);
    const isRegistered =
      call?.type === 'CallExpression' && call.arguments[0] === whole && nameOfCallee(call) === 'register';
    return isRegistered ? [readPlugin(file, { ...use, node: whole }, call, names)] : [];
  });
}

function readPlugin(file: SourceFile, { node, imported }: Use, call: Syntax, names: TierNames): Plugin {
  const draft = new LimitDraft({ file, theirs: imported.local === undefined ? [] : [imported.local], names, call });
  const argument = call.arguments[1] as Syntax | undefined;
  const object = argument && objectOf(draft, argument);
  const table = tableOf();
  if (argument && !object)
    draft.refuse(
      argument,
      'the options are not written in this file, or used twice',
      'write them into the call, and run this again',
    );
  else readOptions(draft, table, object);
  const inherited = new Map(
    draft.outputs.filter(({ name }) => NOT_INHERITED.includes(name)).map(({ name, text }) => [name, text]),
  );
  const isPortable = (name: string) => isClosed(file, draft.given[THEIRS[name] ?? '']?.value);
  const portable = new Set([...inherited.keys()].filter(isPortable));
  const isGlobal = !draft.outputs.some(({ name }) => name === 'global');
  if (!isGlobal) draft.keepOutputs(({ name }) => !NOT_INHERITED.includes(name));
  draft.differs(PREFLIGHTS, ...(isGlobal ? [WHOLE_SCOPE, ORDER] : []));
  if (draft.unread.length > 0) return { draft, isGlobal, inherited, portable };
  if (imported.local === undefined) {
    // The types of a module that is required are those of nothing, and requests have no rateLimit.
    const type = node.type === 'CallExpression' && file.isTypeScript ? ` as typeof import('${TARGET}').rateLimit` : '';
    draft.edits.push({ start: node.start, end: node.end, text: file.textOf(node).replace(NAME, TARGET) + type });
  } else {
    draft.use(TARGET, 'rateLimit');
    draft.edits.push({ start: node.start, end: node.end, text: 'rateLimit' });
  }
  if (object) draft.edits.push(...optionEdits(draft, table, object));
  else draft.edits.push({ start: node.end, end: node.end, text: `, ${optionsText(draft)}` });
  return { draft, isGlobal, inherited, portable };
}

/** The limits of routes, in `config.rateLimit`, and those of hooks, `app.rateLimit({ … })`. */
function limitsIn({ file, run: { names } }: Program, plugin: Plugin): LimitDraft[] {
  const { isGlobal } = plugin;
  const routes = configsIn(file)
    .filter(({ value }) => value.value !== false)
    .map(({ node, value }) => {
      const draft = new LimitDraft({ file, theirs: [], names, call: node });
      const limit = sharedLimit(file, value);
      readLimit(draft, limit, plugin, isGlobal ? ['override', 'true'] : undefined);
      return draft;
    });
  const hooks = hooksIn(file).map((call) => {
    const draft = new LimitDraft({ file, theirs: [], names, call });
    const [argument] = call.arguments as Syntax[];
    const isOfMissing = isOfNotFound(file, call);
    if (isGlobal && !isOfMissing)
      draft.refuse(call, 'this hook counts beside the plugin, which counts all routes', ONE_OF_BOTH);
    else if (isOfMissing && isGlobal) readNotFound(draft, call, argument && bare(argument), plugin);
    else if (argument) readLimit(draft, bare(argument), plugin);
    else draft.refuse(call, 'the hook has no options', 'write limit and window');
    return draft;
  });
  return [...routes, ...hooks];
}

function readLimit(
  draft: LimitDraft,
  object: Syntax,
  { inherited, portable }: Plugin,
  added?: readonly [string, string],
): void {
  if (object.type !== 'ObjectExpression') {
    draft.refuse(object, 'the limit is not written here', 'write it here, and run this again');
    return;
  }
  const given = (object.properties as Syntax[]).map((property) =>
    property.type === 'Property' ? nameOf(property) : undefined,
  );
  // A function may read what is not there.
  for (const [name, text] of inherited) {
    if (/^(['\d]|byIp\(|byHeader\(|\[)/.test(text) || given.includes(THEIRS[name]) || portable.has(name)) continue;
    draft.refuse(object, `${THEIRS[name]} of the plugin needs names of its file`, `write ${THEIRS[name]} here too`);
  }
  const table = [
    ...tableOf(inherited),
    ...(added ? [{ options: [], read: (each: LimitDraft) => each.write(added[0], added[1]) }] : []),
  ];
  readOptions(draft, table, object);
  if (draft.unread.length === 0) draft.edits.push(...optionEdits(draft, table, object));
}

/** True in `setNotFoundHandler({ preHandler: app.rateLimit() }, …)`: the plugin does not count 404s there. */
function isOfNotFound(file: SourceFile, call: Syntax): boolean {
  for (let outer = file.parentOf(call); outer; outer = file.parentOf(outer)) {
    if (isFunction(outer)) return false;
    if (outer.type === 'CallExpression' && nameOfCallee(outer) === 'setNotFoundHandler') return true;
  }
  return false;
}

const NOT_FOUND: Difference = {
  text: "A 404 counts in the plugin's limit too, and no longer in that of its handler alone.",
  link: `${GUIDE}#behaviour`,
};

/** A limit of 404s beside that of the plugin. One without numbers of its own is what the plugin does here. */
function readNotFound(draft: LimitDraft, call: Syntax, object: Syntax | undefined, plugin: Plugin): void {
  if (object) {
    draft.differs(NOT_FOUND);
    return readLimit(draft, object, plugin, ['name', `'${draft.takeName('not-found')}'`]);
  }
  const { file } = draft;
  const hook = file.parentOf(call)!;
  const options = file.parentOf(hook)!;
  const isOnly = hook.type === 'Property' && (options.properties as Syntax[]).length === 1;
  if (!isOnly) return draft.refuse(call, 'the hook has no options', 'remove it: the plugin counts 404s');
  const { text } = file;
  const end = options.end + /^\s*,?\s*/.exec(text.slice(options.end))![0].length;
  draft.edits.push({ start: options.start, end, text: '' });
}

const ONE_OF_BOTH = 'remove the hook, or set global: false in the plugin, and run this again';

/** Calls of `app.rateLimit({ … })`. */
function hooksIn(file: SourceFile): Syntax[] {
  return file
    .nodesOf('CallExpression')
    .filter((call) => bare(call.callee).type === 'MemberExpression' && nameOfCallee(call) === 'rateLimit');
}

interface RouteConfig {
  readonly node: Syntax;
  readonly value: Syntax;
}

/** `rateLimit` in a `config`, which a route has or gets: `route.config = { rateLimit: { … } }`. */
function configsIn(file: SourceFile): RouteConfig[] {
  const properties = file.nodesOf('Property').filter((property) => {
    const owner = nameOf(property) === 'rateLimit' ? file.parentOf(file.parentOf(property)!) : undefined;
    const target = owner?.type === 'AssignmentExpression' ? bare(owner.left as Syntax) : owner;
    return /^(Property|MemberExpression)$/.test(target?.type ?? '') && nameOf(target!) === 'config';
  });
  const assigned = file.nodesOf('AssignmentExpression').filter(({ left }) => {
    const target = bare(left as Syntax);
    const owner = target.type === 'MemberExpression' && nameOf(target) === 'rateLimit' ? bare(target.object) : target;
    return owner !== target && owner.type === 'MemberExpression' && nameOf(owner) === 'config';
  });
  return [...properties, ...assigned].map((node) => ({ node, value: bare((node.value ?? node.right) as Syntax) }));
}

/** The object of a constant that is the limit of routes, and nothing else: the translation of one fits all. */
function sharedLimit(file: SourceFile, value: Syntax): Syntax {
  if (value.type !== 'Identifier') return value;
  const [declaration] = file.declarationsOf(value.name);
  const object = file.valueOf(value);
  const statement = declaration && file.parentOf(file.parentOf(declaration)!);
  const isExported = statement && file.parentOf(statement)?.type === 'ExportNamedDeclaration';
  const limits = configsIn(file).map((each) => each.value);
  const isAlone = file.referencesOf(value.name).every((reference) => limits.includes(reference));
  return object && isAlone && !isExported && !declaration!.typeAnnotation ? object : value;
}

/** What has no place here. */
function strangers({ file }: Program, plugin: Plugin | undefined): Unread[] {
  const members = file
    .nodesOf('MemberExpression')
    .filter((node) => nameOf(node) === 'createRateLimit')
    .map((node) => ({
      line: file.lineOf(node),
      what: 'createRateLimit is used',
      hand: 'use createLimiter: docs/guide/core.md',
    }));
  const routes = plugin ? [] : configsIn(file).slice(0, 1);
  return [
    ...members,
    ...routes.map(({ node }) => ({
      line: file.lineOf(node),
      what: 'the plugin of this route was not found in the files of this run',
      hand: 'name the folder of the application',
    })),
  ];
}

function nameOfCallee(call: Syntax): string | undefined {
  const callee = bare(call.callee);
  return callee.type === 'MemberExpression' ? nameOf(callee) : undefined;
}

export const fastifyRateLimit: Peer = {
  name: NAME,
  companions: [],
  target: TARGET,
  guide: GUIDE,
  table: tableOf(),
  isWhole: () => true,
  reason: '@fastify/rate-limit is replaced in all files together',
  isEach: false,
  types: { RateLimitPluginOptions: 'RateLimitOptions', FastifyRateLimitOptions: 'RateLimitOptions' },
  instead: { RateLimitOptions: 'write RouteRateLimit' },
  // The limits of routes need no import.
  isIn: (file, files) =>
    (configsIn(file).length > 0 || hooksIn(file).length > 0) &&
    files.some((each) => importsOf(each, [NAME]).length > 0),
  read,
};
