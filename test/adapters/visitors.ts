let visitors = 0;

/** An address that nobody has asked from before, so that tests can share a site. */
export function newAddress(): string {
  visitors += 1;
  return `10.${[16, 8, 0].map((bits) => (visitors >> bits) & 0xff).join('.')}`;
}

/** A name that nobody has had before. */
export function newName(): string {
  visitors += 1;
  return `visitor-${visitors}`;
}
