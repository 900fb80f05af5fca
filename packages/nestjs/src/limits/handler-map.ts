import { hasRoute, type Class, type Handler, type Method } from './route-metadata.js';

interface ControllerEntry<T> {
  /** Weak, because a request-scoped controller can create its functions for each request. */
  readonly byMethod: WeakMap<Method, T>;
  readonly byName: Map<string, T>;
}

/** Values of handlers, found by the functions that Nest calls. */
export class HandlerMap<T> {
  readonly #controllers = new WeakMap<Class, ControllerEntry<T>>();

  set({ controller, name, method, instanceMethods }: Handler, value: T): void {
    const entry = this.#controllers.get(controller) ?? { byMethod: new WeakMap(), byName: new Map() };
    this.#controllers.set(controller, entry);
    for (const each of [method, ...instanceMethods]) entry.byMethod.set(each, value);
    entry.byName.set(name, value);
  }

  has(controller: Class): boolean {
    return this.#controllers.has(controller);
  }

  /** Finds a handler by its function, or by its name if the function is bound or has the metadata of the method. */
  get(controller: Class, called: Method): T | undefined {
    const entry = this.#controllers.get(controller);
    return entry?.byMethod.get(called) ?? entry?.byName.get(methodName(called));
  }
}

/** The name of the method that a function replaces; empty if the function could be anything. */
function methodName(called: Method): string {
  if (called.name.startsWith('bound ')) return called.name.slice('bound '.length);
  return hasRoute(called) ? called.name : '';
}
