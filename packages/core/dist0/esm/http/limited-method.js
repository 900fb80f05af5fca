/**
 * A decorator that puts something in front of a method. The method is bound to its object, so that it can be handed to
 * a router: `app.post('/login', api.login)`.
 */
export function methodDecorator(inFrontOf) {
    const decorator = (target, context, descriptor) => descriptor === undefined
        ? standard(inFrontOf(target), context)
        : legacy(inFrontOf(methodOf(descriptor)), context);
    return decorator;
}
function standard(method, context) {
    const { name } = context;
    // Nobody can hand on what nobody can name.
    if (context.private)
        return method;
    context.addInitializer(function bindMethod() {
        const object = this;
        // That of the object, for a subclass may have overridden the one that is decorated.
        define(object, name, object[name].bind(object));
    });
    return method;
}
/** Legacy decorators see no object: its method is bound when it is first asked for. */
function legacy(method, name) {
    // Not kept in the object, where it would hide a method that overrides this one.
    const bound = new WeakMap();
    return {
        configurable: true,
        get() {
            if (!bound.has(this))
                bound.set(this, method.bind(this));
            return bound.get(this);
        },
        set(value) {
            define(this, name, value);
        },
    };
}
/** A decorator that came before has left an accessor, perhaps. */
function methodOf(descriptor) {
    if (!descriptor.get)
        return descriptor.value;
    return function decoratedMethod(...args) {
        return descriptor.get.call(this).apply(this, args);
    };
}
function define(object, name, value) {
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
}
//# sourceMappingURL=limited-method.js.map