// What was said to travel with many calls, and how it is written.
const kept = new WeakMap<readonly (string | number)[], string>();

/** What follows the name of a script's call, as a client sends it: RESP bulk strings, one after the other. */
export function wireText(sha: string, keys: readonly string[], args: readonly (string | number)[]): string {
  let text = bulk(sha) + bulk(String(keys.length));
  for (let index = 0; index < keys.length; index += 1) text += bulk(keys[index]!);
  return text + (kept.get(args) ?? written(args));
}

/** Arguments that travel with many calls: they are written once. Nobody changes them from here on. */
export function keepWritten<Arguments extends readonly (string | number)[]>(args: Arguments): Arguments {
  kept.set(args, written(args));
  return args;
}

function written(args: readonly (string | number)[]): string {
  let text = '';
  for (let index = 0; index < args.length; index += 1) text += bulk(String(args[index]));
  return text;
}

function bulk(text: string): string {
  return '$' + Buffer.byteLength(text) + '\r\n' + text + '\r\n';
}
