/** Explains in one sentence why an example cannot start. */
export function startErrorMessage(error: unknown, port: string): string {
  const { code, message, option } = error as NodeJS.ErrnoException & { option?: string };
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set PORT to a free port: PORT=3001 npm start`;
  if (code === 'EACCES') return `Port ${port} needs privileges. Set PORT above 1023: PORT=3001 npm start`;
  if (code === 'ERR_SOCKET_BAD_PORT') return `PORT must be a number from 0 to 65535, got ${port}.`;
  if (code === 'OPTION_INVALID' && option === 'deadline') return `REDIS_DEADLINE is invalid: ${message}.`;
  if (code === 'OPTION_INVALID' && option === 'url') return `REDIS_URL is invalid: ${message}.`;
  return message;
}
