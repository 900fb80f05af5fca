/** A part of all identities, such as `10%` or `0.5%`. */
export type Share = `${number}%`;

const SHARE = /^(\d{1,3}(?:\.\d{1,2})?)%$/;
/** A digest of 22 characters begins with these bits, which are evenly distributed. */
const CHARACTERS = 4;
const RANGE = 64 ** CHARACTERS;

/** How many of all beginnings of digests a share covers. It is undefined for a value that is no share. */
export function stageOf(share: unknown): number | undefined {
  const percent = typeof share === 'string' ? Number(SHARE.exec(share)?.[1] ?? Number.NaN) : Number.NaN;
  return percent <= 100 ? Math.round((percent / 100) * RANGE) : undefined;
}

/** True for an identity within a stage. A wider stage has all identities of a narrower one. @param digest base64url */
export function isInStage(stage: number, digest: string): boolean {
  return Buffer.from(digest.slice(0, CHARACTERS), 'base64url').readUIntBE(0, 3) < stage;
}
