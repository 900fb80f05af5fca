import { constantOf } from '../source/constant.js';
import { propertiesOf } from '../source/spread.js';
import { bare, nameOf, type Syntax } from '../source/syntax.js';
import type { Carrying, Converter, Difference, GivenOption, GivenOptions, LimitDraft, Row } from './limit-draft.js';

/** An option of another version, or a mistake that the library does not see. */
const UNKNOWN = 'remove it if its library ignores it, else write what it does into key, skip or onDenied';

/** Reads the options of a limit by the table of its library, row by row. @param owner whose options they are, for messages */
export function readOptions(draft: LimitDraft, table: readonly Row[], object: Syntax | undefined, owner = ''): void {
  readSharedOptions(draft, table, object, owner);
  for (const { file } of draft.shared) {
    const what = `more options${owner} are those of ${file.path}, which other limits may have too`;
    draft.refuse(object!, what, 'write them here, and run this again');
  }
}

/** The same, for a limit whose shared options are translated where they are. */
export function readSharedOptions(
  draft: LimitDraft,
  table: readonly Row[],
  object: Syntax | undefined,
  owner = '',
): void {
  draft.given = givenIn(draft, table, object, owner);
  for (const row of table) {
    draft.row = row;
    readRow(draft, row, draft.given, owner);
  }
}

/** Reads an object in the options, which has a table of its own: our options, by name. Undefined, and refused, if one of them is. */
export function readPart(
  draft: LimitDraft,
  table: readonly Row[],
  object: Syntax,
  owner: string,
): ReadonlyMap<string, string> | undefined {
  const { outputs, given, shared, row, unread } = draft;
  const before = unread.length;
  draft.outputs = [];
  readOptions(draft, table, object, owner);
  const part = new Map(draft.outputs.map(({ name, text }) => [name, text]));
  Object.assign(draft, { outputs, given, shared, row });
  return unread.length > before ? undefined : part;
}

function readRow(draft: LimitDraft, row: Row, given: GivenOptions, owner: string): void {
  if (row.read) return row.read(draft, given);
  const { options, becomes, as, otherwise, note, refused } = row;
  const all = options.flatMap((name) => given[name] ?? []);
  const [found] = all;
  if (found && note) draft.differs(note);
  if (refused !== undefined)
    for (const { name, property } of all) draft.refuse(property, `${name}${owner} has no equal`, refused);
  const text = found ? as?.(draft, found, given) : otherwise;
  if (text !== undefined && becomes !== undefined) draft.write(becomes, text);
}

/** What is given of the options of a table. All else is refused. */
function givenIn(draft: LimitDraft, table: readonly Row[], object: Syntax | undefined, owner: string): GivenOptions {
  const given: Record<string, GivenOption> = {};
  const known = table.flatMap(({ options }) => options);
  const spreads = object ? propertiesOf(draft.file, object) : [];
  draft.shared = spreads.flatMap(({ shared }) => shared ?? []);
  for (const property of spreads.flatMap(({ options }) => options)) {
    const name = property.type === 'Property' && property.kind === 'init' ? nameOf(property) : undefined;
    if (name === undefined)
      draft.refuse(property, `the options${owner} have ${shortOf(draft, property)}, which is not seen`, WRITE_OUT);
    else if (!known.includes(name))
      draft.refuse(property, `${name}${owner} is no option that this command knows`, UNKNOWN);
    else given[name] = { name, value: bare(property.value), property };
  }
  return given;
}

const WRITE_OUT = 'write its options out here, and run this again';

function shortOf({ file }: LimitDraft, node: Syntax): string {
  const text = file.textOf(node);
  return text.length > 40 || text.includes('\n') ? `${text.slice(0, 20).split('\n', 1)[0]}…` : text;
}

/** A text of ours, with what is said of it. Undefined for what ours does by itself. */
export interface Choice {
  readonly text?: string;
  readonly note?: Difference;
}

/** Our text for each value that the program itself tells. All others are refused. */
export function oneOf(choices: Readonly<Record<string, Choice>>, what: string, hand: string): Converter {
  return (draft, { name, value, property }) => {
    const known = String(constantOf(draft.file, value));
    const choice = Object.hasOwn(choices, known) ? choices[known] : undefined;
    if (!choice) draft.refuse(property, `${name} ${what}`, hand);
    if (choice?.note) draft.differs(choice.note);
    return choice?.text;
  };
}

/** A function of the request that keeps its meaning. */
export function functionOf(carrying: Carrying): Converter {
  return (draft, given) => draft.carryFunction(given, carrying);
}

/** Whether requests are admitted while the store fails. */
export const storeFailure: Converter = oneOf(
  { true: { text: "'allow'" }, false: { text: "'deny'" } },
  'is no flag',
  "write onStoreFailure: 'allow' or 'deny'",
);
