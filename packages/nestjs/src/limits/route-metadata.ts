/// <reference types="reflect-metadata" />
import { RequestMethod } from '@nestjs/common';
import { routeName } from '@sluice/http/adapter';

import type { GuardStage } from './guard-stage.js';

export type Class = abstract new (...args: never[]) => object;

export type Method = (...args: never[]) => unknown;

/** A method of a controller that handles requests. */
export interface Handler {
  readonly controller: Class;
  /** The name of the method. */
  readonly name: string;
  readonly method: Method;
  /** What instances of the controller have under the name. Nest calls these, and they can differ from the method. */
  readonly instanceMethods: readonly Method[];
  /** Paths that `RouterModule` puts before the controller, one for each module that declares it. */
  readonly prefixes: readonly string[];
}

/** A handler; or a controller, if there is no method. */
export type Route = Pick<Handler, 'controller' | 'prefixes'> & Partial<Handler>;

// Nest does not export these keys. Versions 5 to 12 use the same.
const PATH = 'path';
const METHOD = 'method';
const VERSION = '__version__';
const GUARDS = '__guards__';
const MODULE_PATH = '__module_path__';

/** True for methods that Nest's router has a route to. */
export function hasRoute(handler: Method): boolean {
  return Reflect.hasMetadata(METHOD, handler);
}

/** The guards, as classes or instances, that `@UseGuards` names on these controllers and handlers. */
export function guardsOf(...targets: readonly (Class | Method)[]): readonly unknown[] {
  return targets.flatMap((each) => (Reflect.getMetadata(GUARDS, each) ?? []) as unknown[]);
}

/** The path that `RouterModule` gives a module; empty if it gives none. */
export function prefixOf(module: object | null | undefined, applicationId: string): string {
  const pathAt = (key: string) => (module ? (Reflect.getMetadata(key, module) as string | undefined) : undefined);
  return pathAt(MODULE_PATH + applicationId) ?? pathAt(MODULE_PATH) ?? '';
}

/** The tier name of a handler's limit, such as `GET /cats/:id v2`; of a controller's limit, `* /cats`. */
export function tierNameOf({ controller, prefixes, method }: Route, stage?: GuardStage): string {
  const bases = prefixes.flatMap((prefix) => pathsOf(controller).map((path) => joinPaths(prefix, path)));
  const pattern = method ? pathsOf(method).flatMap((path) => bases.map((base) => joinPaths(base, path))) : bases;
  const version = versionOf(method) || versionOf(controller);
  const parts = [pattern.join(), version, stage === 'authenticated' && stage];
  return routeName(httpMethodOf(method), parts.filter(Boolean).join(' '));
}

function httpMethodOf(handler: Method | undefined): string {
  const method = handler && (Reflect.getMetadata(METHOD, handler) as RequestMethod | undefined);
  return method === undefined ? '*' : RequestMethod[method];
}

function pathsOf(target: Class | Method): readonly string[] {
  return [(Reflect.getMetadata(PATH, target) ?? '') as string | string[]].flat();
}

/** Nest's symbol for neutral routes is not a version. */
function versionOf(target: Class | Method | undefined): string {
  const versions = target === undefined ? [] : [Reflect.getMetadata(VERSION, target) as unknown].flat();
  const texts = versions.filter((version) => typeof version === 'string');
  return texts.length > 0 ? `v${texts.join()}` : '';
}

function joinPaths(base: string, path: string): string {
  return `/${`${base}/${path}`.split('/').filter(Boolean).join('/')}`;
}
