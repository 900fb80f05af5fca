import type { SourceFile } from '../source/source-file.js';
import { bare, nameOf, type Syntax } from '../source/syntax.js';

/** What a function that names a client returns: its address, a header, or a value that may be missing. */
export type Identity =
  | { readonly kind: 'address' }
  | { readonly kind: 'header'; readonly name: string }
  /** A value, and the address without it. */
  | { readonly kind: 'value-or-address'; readonly value: Syntax }
  | { readonly kind: 'value' };

export interface IdentityWords {
  /** True for the address of the request that is the parameter. */
  readonly isAddress: (node: Syntax, parameter: string) => boolean;
  /** The call or the member that reads a header. */
  readonly headerOf: (node: Syntax, parameter: string) => string | undefined;
}

/** Recognizes what an expression tells of a client. */
export function identityOf(returned: Syntax, parameter: string, words: IdentityWords): Identity {
  if (words.isAddress(returned, parameter)) return { kind: 'address' };
  const isDefault = returned.type === 'LogicalExpression' && returned.operator !== '&&';
  if (isDefault && words.isAddress(bare(returned.right), parameter)) {
    return { kind: 'value-or-address', value: bare(returned.left) };
  }
  // `request.get('x-key') ?? 'none'`
  const isFixed = isDefault && bare(returned.right).type === 'Literal';
  const name = words.headerOf(isFixed ? bare(returned.left) : returned, parameter);
  return name === undefined ? { kind: 'value' } : { kind: 'header', name };
}

/** `ip`, `request.ip`, `helper(request.ip)`: what programs of Node's frameworks read. */
export function nodeWords(file: SourceFile, helpers: readonly string[]): IdentityWords {
  const isAddress = (node: Syntax, parameter: string): boolean => {
    const inner = bare(node);
    if (inner.type === 'CallExpression') {
      const callee = file.textOf(inner.callee);
      return helpers.includes(callee) && inner.arguments.length === 1 && isAddress(inner.arguments[0], parameter);
    }
    // `request.ip ?? ''`, `request.ip || request.socket.remoteAddress`
    if (inner.type === 'LogicalExpression' && (bare(inner.right).type === 'Literal' || isSocket(bare(inner.right))))
      return isAddress(inner.left, parameter);
    return inner.type === 'MemberExpression' && inner.object.name === parameter && nameOf(inner) === 'ip';
  };
  return {
    isAddress,
    headerOf: (node, parameter) => {
      const inner = bare(node);
      if (inner.type === 'CallExpression') {
        const callee = bare(inner.callee);
        const isGetter = callee.type === 'MemberExpression' && callee.object.name === parameter;
        if (!isGetter || !['get', 'header'].includes(nameOf(callee) ?? '')) return undefined;
        return headerName(inner.arguments[0]);
      }
      if (inner.type !== 'MemberExpression') return undefined;
      const object = bare(inner.object);
      const isHeaders =
        object.type === 'MemberExpression' && object.object.name === parameter && nameOf(object) === 'headers';
      return isHeaders ? nameOf(inner) : undefined;
    },
  };
}

/** The other end of the connection, which is the address of a request without a proxy. */
function isSocket(node: Syntax): boolean {
  return node.type === 'MemberExpression' && nameOf(node) === 'remoteAddress';
}

function headerName(node: Syntax | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
