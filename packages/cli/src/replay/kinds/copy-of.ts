/** A text of its own: that of a line may be a slice of it, and would keep the line in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
