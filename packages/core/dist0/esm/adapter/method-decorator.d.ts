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
export declare function methodDecorator<H extends Method>(inFrontOf: (method: H) => H): HandlerDecorator;
export {};
//# sourceMappingURL=method-decorator.d.ts.map