import { UsageError } from '@sluice/core/internal';

/** A decorator of methods, for standard (TC39) decorators and for TypeScript's `experimentalDecorators`. */
export interface HandlerDecorator {
  <M>(method: M, context: ClassMethodDecoratorContext): M;
  (prototype: object, name: string | symbol, descriptor: PropertyDescriptor): PropertyDescriptor;
}

type Method = (this: object, ...args: never[]) => unknown;

/**
 * Creates a decorator that wraps a method, and binds it to its object. The method can then be passed to a router:
 * `app.post('/login', api.login)`.
 *
 * @throws UsageError, from the decorator, for another member of a class
 */
export function methodDecorator<H extends Method>(wrap: (method: H) => H): HandlerDecorator {
  const decorator = (target: unknown, context: unknown, descriptor?: PropertyDescriptor): unknown => {
    if (!isMethod(context, descriptor)) throw notMethod(context);
    return descriptor === undefined
      ? standard(wrap(target as H), context as ClassMethodDecoratorContext)
      : legacy(wrap(methodOf(descriptor) as H), context as string | symbol);
  };
  return decorator as HandlerDecorator;
}

/** Compilers of legacy decorators describe a field without a value, or pass no descriptor. */
function isMethod(context: unknown, descriptor: PropertyDescriptor | undefined): boolean {
  if (descriptor === undefined) return (context as Partial<DecoratorContext> | undefined)?.kind === 'method';
  return descriptor.get !== undefined || typeof descriptor.value === 'function';
}

function notMethod(context: unknown): UsageError {
  const { name = context ?? 'the class' } = Object(context) as { readonly name?: unknown };
  const rule = `@limited decorates methods only: ${String(name)} is not a method`;
  const remedy = 'Write @limited(…) before login(request, response) { … }, not before login = …';
  return new UsageError('USAGE_INVALID', `${rule}. ${remedy}`);
}

function standard(method: Method, context: ClassMethodDecoratorContext): Method {
  const { name } = context;
  // A private method cannot be passed to a router from outside.
  if (context.private) return method;
  context.addInitializer(function bindMethod(this: unknown) {
    const object = this as Record<string | symbol, Method>;
    // The object's own, because a subclass can override the decorated method.
    define(object, name, object[name]!.bind(object));
  });
  return method;
}

/** Legacy decorators run before there is an object, so the method is bound on its first access. */
function legacy(method: Method, name: string | symbol): PropertyDescriptor {
  // A property of the object would hide a method that overrides this one.
  const boundMethods = new WeakMap<object, Method>();
  return {
    configurable: true,
    get(this: object) {
      if (!boundMethods.has(this)) boundMethods.set(this, method.bind(this));
      return boundMethods.get(this);
    },
    set(this: object, value: unknown) {
      define(this, name, value);
    },
  };
}

/** The method of a descriptor. Another decorator may have made it an accessor. */
function methodOf(descriptor: PropertyDescriptor): Method {
  if (!descriptor.get) return descriptor.value as Method;
  return function decoratedMethod(...args) {
    return (descriptor.get!.call(this) as Method).apply(this, args);
  };
}

function define(object: object, name: string | symbol, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, configurable: true });
}
