/** What has happened, in words. The cause of «fetch failed» has the reason, and a failed connection may have no message at all. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause, errors = [] } = error as Error & { errors?: readonly unknown[] };
  const [reason = cause] = errors;
  const parts = [message, reason instanceof Error ? messageOf(reason) : ''].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(': ') : error.name;
}
