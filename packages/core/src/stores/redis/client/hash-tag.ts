/** What of a key a Cluster derives its slot from: what stands between the first braces, else all of it. */
export function hashTag(key: string): string {
  const open = key.indexOf('{');
  const close = key.indexOf('}', open + 1);
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close);
}
