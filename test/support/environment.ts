/** Of a child process: PATH and what is added. A FORCE_COLOR or CI of this machine does not change what it prints. */
export function environment(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], ...added };
}
