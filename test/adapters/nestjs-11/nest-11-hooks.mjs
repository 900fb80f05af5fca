const OF_NEST = /^(@nestjs\/|reflect-metadata$|rxjs($|\/))/;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  return next(specifier, OF_NEST.test(specifier) ? { ...context, parentURL: import.meta.url } : context);
}
