import type { parse as Parse, ParserPlugin } from '@babel/parser';
import { SourceFile, type Comment } from './source-file.js';
import type { Syntax } from './syntax.js';

/** Why a program cannot be read, and where. */
export class ParseProblem {
  readonly line: number;
  readonly message: string;

  constructor(line: number, message: string) {
    this.line = line;
    this.message = message;
  }
}

/** Reads a program. Its name tells whether it is TypeScript. */
export type Parser = (path: string, text: string) => SourceFile | ParseProblem;

/** The parser takes longer to load than most commands to run. */
export async function loadParser(): Promise<Parser> {
  const { parse } = await import('@babel/parser');
  return (path, text) => parseSource(parse, path, text);
}

function parseSource(parse: typeof Parse, path: string, text: string): SourceFile | ParseProblem {
  const isTypeScript = /\.[cm]?ts$/.test(path);
  const plugins: ParserPlugin[] = ['estree', 'decorators-legacy', 'explicitResourceManagement'];
  if (isTypeScript || path.endsWith('.tsx')) plugins.push('typescript');
  if (!isTypeScript) plugins.push('jsx');
  try {
    const { program, comments } = parse(text, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      createImportExpressions: true,
      plugins,
    });
    return new SourceFile(path, text, program as unknown as Syntax, (comments ?? []) as Comment[]);
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number } };
    if (error instanceof RangeError) return new ParseProblem(1, 'is nested too deeply');
    return new ParseProblem(loc?.line ?? 1, message.replace(/ \(\d+:\d+\)$/, ''));
  }
}
