/** Whose budget is spent. Only a digest of it leaves the limiter. */
export interface Identity {
    /** What it is: `ip`, `api-key`, `jwt-subject`. Identities of different kinds never share a budget. */
    readonly kind: string;
    /** What it is made of; parts are told apart, so `['a', 'bc']` is not `['ab', 'c']`. */
    readonly parts: readonly string[];
}
/** What a `key` function returns: text, or an identity with a kind of its own. */
export type Key = string | Identity;
/** Text that is the same only for equal identities: every part is preceded by its length. */
export declare function identityText(key: Key): string;
/** True for text or an identity with something in it. */
export declare function isKey(value: unknown): value is Key;
//# sourceMappingURL=identity.d.ts.map