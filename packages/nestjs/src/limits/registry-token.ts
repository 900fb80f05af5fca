/** The token of the registry. Registered, because the ESM and the CommonJS build must share it. */
export const LIMIT_REGISTRY = Symbol.for('sluice.nestjs.limit-registry');
