import { constantOf } from '../source/constant.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, resultsOf, returnedBy, type Syntax } from '../source/syntax.js';
import { EACH_ADDRESS, MISSING_IDENTITY } from './differences.js';
import { addressReadsIn, type AddressRead } from './client-headers.js';
import { identityOf, nodeWords, type Identity, type IdentityWords } from './identity-text.js';
import type { Difference, GivenOption, LimitDraft, Row } from './limit-draft.js';

export interface KeyOptions {
  readonly target: string;
  /** The option that names a client. */
  readonly generator: string;
  /** The option with the bits of an IPv6 network. */
  readonly subnet?: string;
  /** What programs make of an address. */
  readonly helpers?: readonly string[];
  /** What is said where the key is a header that clients write. */
  readonly proxies: Difference;
  /** What is said where the library takes a wider network of IPv6 than ours. */
  readonly wide?: Difference;
  /** Our text where the option is not given. @default the client's address */
  readonly inherited?: string | undefined;
  readonly words?: IdentityWords;
  /** The type of the parameter, where the compiler does not find it. */
  readonly type?: string;
  /** Our parameter from theirs. @default the same */
  readonly first?: (name: string) => string;
}

/** Which client is counted. */
export function keyRow(options: KeyOptions): Row {
  const { generator, subnet } = options;
  return {
    options: [generator, ...(subnet ? [subnet] : [])],
    read: (draft, given) => {
      const bits = subnet === undefined ? undefined : given[subnet];
      if (given[generator]) readGenerator(draft, given[generator], options);
      else if (bits) readSubnet(draft, bits, options.target);
      else if (options.inherited !== undefined) inherit(draft, options.inherited, options.target);
      else if (options.wide) draft.differs(options.wide);
    },
  };
}

/** The names in the text are those of our functions: `byIp({ ipv6Subnet: 48 })`. */
function inherit(draft: LimitDraft, text: string, target: string): void {
  draft.use(target, ...['by', 'byIp', 'byHeader'].filter((name) => text.startsWith(`${name}(`)));
  draft.write('key', text);
}

/** As ours, if it is not the default. */
function readSubnet(draft: LimitDraft, { name, value }: GivenOption, target: string): void {
  const given = constantOf(draft.file, value);
  const bits = given === false ? 128 : given;
  if (typeof bits !== 'number' || bits < 32 || bits > 128) {
    return draft.refuse(value, `${name} is no number from 32 to 128`, 'write key: byIp({ ipv6Subnet })');
  }
  if (bits === 64) return;
  draft.use(target, 'byIp');
  draft.write('key', `byIp({ ipv6Subnet: ${bits} })`);
}

function readGenerator(draft: LimitDraft, given: GivenOption, options: KeyOptions): void {
  const found = draft.file.functionOf(given.value);
  const reads = found ? addressReadsIn(found.file, found.fn, found.fn) : new Set<AddressRead>();
  if (reads.has('header')) draft.differs(options.proxies);
  if (!reads.has('header') || reads.has('other')) return readIdentity(draft, given, options);
  // All that it reads is what clients write, or their address.
  draft.differs(EACH_ADDRESS);
  draft.use(options.target, 'byIp');
  draft.write('key', 'byIp()');
}

function readIdentity(draft: LimitDraft, given: GivenOption, options: KeyOptions): void {
  const { target, helpers = [], words = nodeWords(draft.file, helpers), type } = options;
  const fn = draft.file.valueOf(given.value);
  const returned = fn && isFunction(fn) ? returnedBy(fn) : undefined;
  const parameter = fn?.params?.[0]?.name as string | undefined;
  const isUntyped =
    type !== undefined && draft.file.isTypeScript && fn === given.value && !fn.params[0]?.typeAnnotation;
  const first = options.first ?? (isUntyped ? (name: string) => `${name}: ${type}` : undefined);
  const identity = returned && parameter !== undefined ? identityIn(draft, fn!, returned, words) : undefined;
  const address = identity?.kind === 'address' ? returned : identity?.kind === 'value-or-address' && returned?.right;
  // A helper makes a network of the address.
  if (address)
    draft.differs(bare(address as Syntax).type === 'CallExpression' && options.wide ? options.wide : EACH_ADDRESS);
  if (identity?.kind === 'address') return;
  const rest =
    returned && parameter !== undefined && restOfNetwork(returned, (node) => words.isAddress(node, parameter));
  if (rest && fn === given.value && !fn.async && options.wide) {
    const text = draft.carry(rest);
    draft.use(target, 'by', 'byIp', 'compose');
    draft.differs(options.wide);
    const written = `by('client', (${draft.file.textOf(fn.params[0])}) => ${text})`;
    if (text !== undefined) draft.write('key', `compose(byIp(), ${written})`);
    return;
  }
  if (identity?.kind !== undefined && identity.kind !== 'value') draft.differs(MISSING_IDENTITY);
  if (identity?.kind === 'header') {
    draft.use(target, 'byHeader');
    return draft.write('key', `byHeader('${identity.name.toLowerCase()}')`);
  }
  if (identity?.kind === 'value-or-address' && fn === given.value) {
    // Without the value ours takes the address by itself.
    const { value } = identity;
    const text = draft.carry(value);
    draft.use(target, 'by');
    const written = first ? first(parameter!) : draft.file.textOf(fn.params[0]);
    if (text !== undefined) draft.write('key', `by('client', (${written}) => ${text})`);
    return;
  }
  draft.differs(MISSING_IDENTITY);
  const edits =
    fn === given.value && parameter !== undefined
      ? addressEdits(draft.file, fn, (node) => words.isAddress(node, parameter))
      : [];
  if (edits.length > 0) draft.differs(options.wide ?? EACH_ADDRESS);
  const text = draft.carryFunction(given, { parameters: 1, first, edits });
  draft.use(target, 'by');
  if (text !== undefined) draft.write('key', `by('client', ${text})`);
}

/** What a function identifies by. Without a value ours takes the address, so a header behind it is dropped. */
function identityIn({ file }: LimitDraft, fn: Syntax, returned: Syntax, words: IdentityWords): Identity {
  let value = returned;
  while (value.type === 'LogicalExpression' && value.operator !== '&&') {
    const reads = addressReadsIn(file, fn, bare(value.right));
    const isAddress = words.isAddress(bare(value.right), fn.params[0].name as string);
    if (!isAddress && !(reads.has('header') && !reads.has('other'))) break;
    value = bare(value.left);
  }
  return value === returned
    ? identityOf(returned, fn.params[0].name as string, words)
    : { kind: 'value-or-address', value };
}

/** The edits of a function that returns the address of some clients: without a value ours takes it by itself. */
export function addressEdits(file: SourceFile, fn: Syntax, isAddress: (node: Syntax) => boolean): Edit[] {
  const leaves = resultsOf(fn).flatMap(leavesOf).filter(isAddress);
  if (leaves.length === 0) return [];
  const text = fn.async ? ': Promise<string | undefined>' : ': string | undefined';
  const type = fn.returnType ? [{ start: fn.returnType.start, end: fn.returnType.end, text } as Edit] : [];
  const edits = leaves.map((leaf) => {
    const parent = file.parentOf(leaf);
    const isDefault = parent?.type === 'LogicalExpression' && parent.right === leaf;
    return isDefault
      ? { start: parent.left.end as number, end: leaf.end, text: '' }
      : { ...place(leaf), text: 'undefined' };
  });
  return [...edits, ...type];
}

function place({ start, end }: Syntax) {
  return { start, end };
}

/** What an expression may be: both sides of a condition, and a default. */
function leavesOf(node: Syntax): Syntax[] {
  const inner = bare(node);
  if (inner.type === 'ConditionalExpression') return [inner.consequent, inner.alternate].flatMap(leavesOf);
  if (inner.type === 'LogicalExpression' && inner.operator !== '&&') return [inner, ...leavesOf(inner.right as Syntax)];
  return [inner];
}

/** What follows the network of the client in `${helper(request.ip)}:${rest}`. */
function restOfNetwork(returned: Syntax, isAddress: (node: Syntax) => boolean): Syntax | undefined {
  const [network, rest, ...more] = (returned.type === 'TemplateLiteral' ? returned.expressions : []) as Syntax[];
  const isNetwork = network && bare(network).type === 'CallExpression' && isAddress(network);
  return isNetwork && more.length === 0 ? rest : undefined;
}
