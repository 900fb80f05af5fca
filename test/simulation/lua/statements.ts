/** Comments, texts, and what opens or closes a statement or an expression; or the end of a line. */
const TOKENS = /--[^\n]*|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\b(?:function|do|if|repeat|end|until)\b|[{}()[\]]|\n/g;
const OPENERS = new Set(['function', 'do', 'if', 'repeat', '{', '(', '[']);
const CLOSERS = new Set(['end', 'until', '}', ')', ']']);

/** The texts of the statements of a script that are outside of all others, as far as lines separate them. */
export function statementTexts(source: string): string[] {
  const texts: string[] = [];
  let [from, depth] = [0, 0];
  for (const { 0: token, index } of source.matchAll(TOKENS)) {
    if (OPENERS.has(token)) depth += 1;
    else if (CLOSERS.has(token)) depth -= 1;
    else if (token === '\n' && depth === 0) {
      texts.push(source.slice(from, index));
      from = index + 1;
    }
  }
  texts.push(source.slice(from));
  return texts.filter((text) => text.trim() !== '');
}
