/** The key of the line beside the key of a state, in its slot of a Cluster. */
export function lineKey(key: string): string {
  return /\{[^}]+\}/.test(key) ? `${key}:line` : `{${key}}:line`;
}
