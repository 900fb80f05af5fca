/** What is missing where Nest cannot resolve a token of this package: its error has the name of the token. */
export const MODULE = 'RateLimitModule.forRoot({ … }) in the imports of the root module';

/** The token of the registry. Registered, because the ESM and the CommonJS build must share it. */
export const LIMIT_REGISTRY = Symbol.for(MODULE);
