/** The web-standard classes, by the types of the program: of the DOM, of Node or of another runtime. */
export type StandardRequest = Instance<'Request'>;
export type StandardResponse = Instance<'Response'>;
export type StandardHeaders = Instance<'Headers'>;
export type StandardSignal = Instance<'AbortSignal'>;

/** Looked up, because a program whose types have no such class would not compile with its name. */
type Instance<Name extends string> =
  typeof globalThis extends Record<Name, { readonly prototype: infer Type }> ? Type : object;
