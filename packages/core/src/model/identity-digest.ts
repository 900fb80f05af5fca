/** An identity of which no more is known than its digest, as `tracksOf` shows it. */
export class IdentityDigest {
  readonly digest: string;

  constructor(digest: string) {
    this.digest = digest;
  }
}
