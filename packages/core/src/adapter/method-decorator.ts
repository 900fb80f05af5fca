/** A decorator of methods, of the standard (TC39) and of TypeScript's legacy kind. */
export interface HandlerDecorator {
  <M>(method: M, context: ClassMethodDecoratorContext): M;
  (prototype: object, name: string | symbol, descriptor: PropertyDescriptor): PropertyDescriptor;
}

type Method = (this: object, ...args: never[]) => unknown;

/**
 * A decorator that puts something in front of a method. The method is bound to its object, so that it can be handed to
 * a router: `app.post('/login', api.login)`.
 */
export function methodDecorator<H extends Method>(inFrontOf: (method: H) => H): HandlerDecorator {
  const decorator = (target: unknown, context: unknown, descriptor?: PropertyDescriptor): unknown =>
    descriptor === undefined
      ? standard(inFrontOf(target as H), context as ClassMethodDecoratorContext)
      : legacy(inFrontOf(methodOf(descriptor) as H), context as string | symbol);
  return decorator as HandlerDecorator;
}

function standard(method: Method, context: ClassMethodDecoratorContext): Method {
  const { name } = context;
  // Nobody can hand on what nobody can name.
  if (context.private) return method;
  context.addInitializer(function bindMethod(this: unknown) {
    const object = this as Record<string | symbol, Method>;
    // That of the object, for a subclass may have overridden the one that is decorated.
    define(object, name, object[name]!.bind(object));
  });
  return method;
}

/** Legacy decorators see no object: its method is bound when it is first asked for. */
function legacy(method: Method, name: string | symbol): PropertyDescriptor {
  // Not kept in the object, where it would hide a method that overrides this one.
  const bound = new WeakMap<object, Method>();
  return {
    configurable: true,
    get(this: object) {
      if (!bound.has(this)) bound.set(this, method.bind(this));
      return bound.get(this);
    },
    set(this: object, value: unknown) {
      define(this, name, value);
    },
  };
}

/** A decorator that came before has left an accessor, perhaps. */
function methodOf(descriptor: PropertyDescriptor): Method {
  if (!descriptor.get) return descriptor.value as Method;
  return function decoratedMethod(...args) {
    return (descriptor.get!.call(this) as Method).apply(this, args);
  };
}

function define(object: object, name: string | symbol, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, configurable: true });
}
