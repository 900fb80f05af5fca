/** Warns of settings of a caller's client that make trouble worse. They are looked at once, and left as they are. */
export declare function warnOfSettings(client: object): void;
//# sourceMappingURL=client-settings.d.ts.map