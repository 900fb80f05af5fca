/**
 * A tier's name for a route, as the framework's router writes it: `GET /items/:id`. What a name cannot have is
 * percent-encoded; what is too long ends in a hash of the whole.
 *
 * @param method several are joined by commas
 */
export declare function routeName(method: string, pattern: string): string;
//# sourceMappingURL=route-name.d.ts.map