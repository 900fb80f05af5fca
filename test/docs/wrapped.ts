const WIDTH = 120;

/** Text in lines as wide as those of the pages. Lines after the first begin with `indent`. */
export function wrapped(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line.length + 1 + word.length > WIDTH) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
