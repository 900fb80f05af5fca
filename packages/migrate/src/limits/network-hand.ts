import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, type Syntax } from '../source/syntax.js';

/** What to write in place of a helper that makes a network of an address, by how a program uses it. */
export function networkHand(file: SourceFile, helper: Syntax): string {
  const call = file.parentOf(helper);
  const given =
    call?.type === 'CallExpression' && call.callee === helper ? bare(call.arguments[0] as Syntax) : undefined;
  if (given?.type === 'Identifier' && file.declarationsOf(given.name).some((each) => isFunction(file.parentOf(each)!)))
    return `it gets the whole ${given.name as string}, so each request is a client of its own: write ${helper.name as string}(${given.name as string}.ip), and run this again`;
  for (let outer = file.parentOf(helper); outer && !isFunction(outer); outer = file.parentOf(outer)) {
    const isJoined = outer.type === 'TemplateLiteral' || (outer.type === 'BinaryExpression' && outer.operator === '+');
    if (isJoined) return "write key: compose(byIp(), by('email', (request) => …))";
  }
  return "write key: by('user', (request) => request.user?.id), which counts by the network without a user, or byIp()";
}
