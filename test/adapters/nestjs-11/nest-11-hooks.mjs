const NEST_PACKAGES = /^(@nestjs\/|reflect-metadata$|rxjs($|\/))/;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  return next(specifier, NEST_PACKAGES.test(specifier) ? { ...context, parentURL: import.meta.url } : context);
}
