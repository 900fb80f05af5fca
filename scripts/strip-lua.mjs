/**
 * Redis stores the text of every script, and a shorter text is sent and hashed sooner.
 *
 * @param {string} part
 * @param {string} lua
 */
export function strip(part, lua) {
  // Removing only the first line of a block comment would leave the rest of it as code.
  if (/--\[=*\[/.test(lua)) throw new Error(`${part}: write comments as lines of --, not as --[[ ]]`);
  const lines = lua.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('--')).join('\n');
}
