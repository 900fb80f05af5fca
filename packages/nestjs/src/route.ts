/// <reference types="reflect-metadata" />
import { RequestMethod } from '@nestjs/common';
import { routeName } from '@sluice/core/adapter';

import type { Class, Handler, Method } from './handler.js';
import type { At } from './rate-limit-options.js';

// Nest keeps these names to itself; versions 5 to 12 have the same.
const PATH = 'path';
const METHOD = 'method';
const VERSION = '__version__';
const GUARDS = '__guards__';
const MODULE_PATH = '__module_path__';

/** A handler, or without a method its controller. */
type Place = Pick<Handler, 'controller' | 'prefixes'> & { readonly method?: Method };

/** True for methods that Nest's router has a route to. */
export function hasRoute(handler: Method): boolean {
  return Reflect.hasMetadata(METHOD, handler);
}

/** The guards that stand on a controller, on a handler, or on both: classes and instances. */
export function guardsOf(...targets: readonly (Class | Method)[]): readonly unknown[] {
  return targets.flatMap((each) => (Reflect.getMetadata(GUARDS, each) ?? []) as unknown[]);
}

/** The path that `RouterModule` gives a module; empty for none. */
export function prefixOf(module: object | null | undefined, applicationId: string): string {
  const of = (key: string) => (module ? (Reflect.getMetadata(key, module) as string | undefined) : undefined);
  return of(MODULE_PATH + applicationId) ?? of(MODULE_PATH) ?? '';
}

/** The name of a handler's limit: `GET /cats/:id`, with `v2` where it has a version; of a controller's: `* /cats`. */
export function nameOfRoute({ controller, prefixes, method }: Place, at?: At): string {
  const bases = prefixes.flatMap((prefix) => pathsOf(controller).map((path) => joined(prefix, path)));
  const pattern = method ? pathsOf(method).flatMap((path) => bases.map((base) => joined(base, path))) : bases;
  const version = versionOf(method) || versionOf(controller);
  return routeName(methodOf(method), [pattern.join(), version, at === 'authenticated' && at].filter(Boolean).join(' '));
}

function methodOf(handler: Method | undefined): string {
  const method = handler && (Reflect.getMetadata(METHOD, handler) as RequestMethod | undefined);
  return method === undefined ? '*' : RequestMethod[method];
}

function pathsOf(target: Class | Method): readonly string[] {
  return [(Reflect.getMetadata(PATH, target) ?? '') as string | string[]].flat();
}

/** A version may also be a symbol, for none. */
function versionOf(target: Class | Method | undefined): string {
  const versions = target === undefined ? [] : [Reflect.getMetadata(VERSION, target) as unknown].flat();
  const texts = versions.filter((version) => typeof version === 'string');
  return texts.length > 0 ? `v${texts.join()}` : '';
}

function joined(base: string, path: string): string {
  return `/${`${base}/${path}`.split('/').filter(Boolean).join('/')}`;
}
