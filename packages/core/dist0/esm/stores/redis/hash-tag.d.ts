/** What of a key a Cluster derives its slot from: what stands between the first braces, else all of it. */
export declare function hashTag(key: string): string;
//# sourceMappingURL=hash-tag.d.ts.map