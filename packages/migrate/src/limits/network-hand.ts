import type { SourceFile } from '../source/source-file.js';
import { isFunction, type Syntax } from '../source/syntax.js';

/** What to write in place of a helper that makes a network of an address, by how a program uses it. */
export function networkHand(file: SourceFile, helper: Syntax): string {
  for (let outer = file.parentOf(helper); outer && !isFunction(outer); outer = file.parentOf(outer)) {
    const isJoined = outer.type === 'TemplateLiteral' || (outer.type === 'BinaryExpression' && outer.operator === '+');
    if (isJoined) return "write key: compose(byIp(), by('email', (request) => …))";
  }
  return "write key: by('user', (request) => request.user?.id), which counts by the network without a user, or byIp()";
}
