import type { Class, Handler, Method } from './handler.js';
import { hasRoute } from './route.js';

interface OfController<T> {
  /** Weak: the objects of a controller may have functions of their own, and be as many as requests. */
  readonly byMethod: WeakMap<Method, T>;
  readonly byName: Map<string, T>;
}

/** What is known of handlers, found by the functions that Nest calls for them. */
export class ByHandler<T> {
  readonly #byController = new WeakMap<Class, OfController<T>>();

  set({ controller, name, method, called }: Handler, value: T): void {
    const known = this.#byController.get(controller) ?? { byMethod: new WeakMap(), byName: new Map() };
    this.#byController.set(controller, known);
    for (const each of [method, ...called]) known.byMethod.set(each, value);
    known.byName.set(name, value);
  }

  has(controller: Class): boolean {
    return this.#byController.has(controller);
  }

  /** By identity; or by name, where a function is bound, or has been given all metadata of the method. */
  get(controller: Class, called: Method): T | undefined {
    const known = this.#byController.get(controller);
    return known?.byMethod.get(called) ?? known?.byName.get(nameIn(called));
  }
}

/** The name of the method that a function stands for; that of any other function says nothing. */
function nameIn(called: Method): string {
  if (called.name.startsWith('bound ')) return called.name.slice('bound '.length);
  return hasRoute(called) ? called.name : '';
}
