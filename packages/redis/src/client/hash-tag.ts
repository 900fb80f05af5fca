/** The part of a key that decides its slot on a Cluster: the text in the first braces, otherwise the whole key. */
export function hashTag(key: string): string {
  const open = key.indexOf('{');
  const close = key.indexOf('}', open + 1);
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close);
}
