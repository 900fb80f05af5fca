import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, nameOf, type Syntax } from '../source/syntax.js';

/** Headers with an address that anybody can write: only proxies that a program names make one of them true. */
const WRITTEN = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

/** How an expression reads the address of a client. */
export type AddressRead = 'address' | 'header' | 'other';

/** True for text that names such a header. */
export function namesClientHeader(text: string): boolean {
  return WRITTEN.some((name) => text.toLowerCase().includes(`'${name}'`) || text.toLowerCase().includes(`"${name}"`));
}

/**
 * What a part of a function reads of the request: nothing, its address, headers that clients write as theirs, or more.
 *
 * @param part the function, or an expression in it
 */
export function addressReadsIn(file: SourceFile, fn: Syntax, part: Syntax): ReadonlySet<AddressRead> {
  const [parameter] = fn.params as Syntax[];
  return new Set(
    namesOf(parameter).flatMap(({ name, path }) =>
      file.referencesIn(part, name).map((reference) => readOf([...path, ...pathFrom(file, reference)])),
    ),
  );
}

interface Name {
  readonly name: string;
  readonly path: readonly string[];
}

/** The names of a parameter, which may be taken apart: `({ headers, ip }) => …`. */
function namesOf(parameter: Syntax | undefined): Name[] {
  if (parameter?.type === 'Identifier') return [{ name: parameter.name as string, path: [] }];
  if (parameter?.type !== 'ObjectPattern') return [];
  return (parameter.properties as Syntax[]).flatMap((property) => {
    const local = property.type === 'Property' ? bare(property.value.left ?? property.value) : undefined;
    return local?.type === 'Identifier' ? [{ name: local.name as string, path: [nameOf(property) ?? '…'] }] : [];
  });
}

/** What a program reads from a reference on: `headers`, `x-forwarded-for`. */
function pathFrom(file: SourceFile, reference: Syntax): string[] {
  const path: string[] = [];
  let node = reference;
  for (let outer = file.parentOf(node); outer; [node, outer] = [outer, file.parentOf(outer)]) {
    if (outer.type === 'MemberExpression' && bare(outer.object) === bare(node)) {
      const name = outer.computed ? constantOf(file, outer.property) : nameOf(outer);
      path.push(name === undefined ? '…' : String(name));
    } else if (outer.type === 'CallExpression' && outer.callee === node && /^(get|header)$/.test(path.at(-1) ?? '')) {
      const [first] = outer.arguments as Syntax[];
      return [...path, String((first && constantOf(file, first)) ?? '…')];
    } else if (outer.type === 'CallExpression' && (outer.arguments as Syntax[]).includes(node) && path.length === 0) {
      path.push(`${file.textOf(outer.callee)}()`);
    } else if (!/^(TS\w*Expression|ChainExpression)$/.test(outer.type)) {
      return path;
    }
  }
  return path;
}

function readOf(path: readonly string[]): AddressRead {
  const [first = '', second = ''] = path;
  if (first.endsWith('getConnInfo()') || first === 'ip' || first === 'ips' || path.includes('remoteAddress'))
    return 'address';
  // Of request-ip, which reads the same headers.
  if (first.endsWith('getClientIp()') || first === 'clientIp') return 'header';
  const header = path.findIndex((name) => WRITTEN.includes(name.toLowerCase()));
  const isHeader = header > 0 && /^(headers|header|get)$/.test(path[header - 1]!);
  return isHeader && /^(headers|header|get|req|raw)$/.test(first) && second !== '' ? 'header' : 'other';
}
