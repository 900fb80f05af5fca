/** Has mistakes in options say where these stand: `route GET /cats: tier "GET /cats": limit must be ...`. */
export declare function inPlace<T>(place: string, make: () => T): T;
//# sourceMappingURL=in-place.d.ts.map