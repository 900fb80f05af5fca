let count = 0;

/** An address that no other test uses, so that tests can share a site. */
export function newAddress(): string {
  count += 1;
  return `10.${[16, 8, 0].map((bits) => (count >> bits) & 0xff).join('.')}`;
}

/** A name that no other test uses. */
export function newName(): string {
  count += 1;
  return `client-${count}`;
}
