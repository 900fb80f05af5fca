/** Says in a sentence why an example cannot start. */
export function complaint(error: unknown, port: string): string {
  const { code, message, option } = error as NodeJS.ErrnoException & { option?: string };
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set PORT to a free one, as in PORT=3001 npm start.`;
  if (code === 'EACCES')
    return `Port ${port} is not for everyone: set PORT to one above 1023, as in PORT=3001 npm start.`;
  if (code === 'ERR_SOCKET_BAD_PORT') return `PORT must be a number from 0 to 65535, got ${port}.`;
  if (code === 'OPTION_INVALID') {
    return `${option === 'deadline' ? 'REDIS_DEADLINE' : 'REDIS_URL'} cannot be used: ${message}.`;
  }
  return message;
}
