// A request has three identities for three tiers: its address, which is its key here, its user and its tenant.

export function userOf(key: string): string {
  return `user-${key}`;
}

export function tenantOf(key: string): string {
  return `tenant-${key}`;
}

/** Three windows, each shorter than the one before. Their limits are out of reach. */
export function windowsOf({ window }: { window: number }): readonly [number, number, number] {
  return [window, window / 2, window / 4];
}
