import { UsageError } from '../../../core/src/model/errors.js';
import { methodDecorator } from './method-decorator.js';

/** As compilers call a decorator. */
type Decorator = (target: unknown, context?: unknown, descriptor?: PropertyDescriptor) => unknown;

describe('methodDecorator', () => {
  const api = (): void => {};
  const decorate = methodDecorator((method) => method) as Decorator;

  it.each<[string, Parameters<Decorator>]>([
    ['a standard field', [undefined, { kind: 'field', name: 'login' }]],
    ['a standard getter', [() => {}, { kind: 'getter', name: 'login' }]],
    ['a legacy field of TypeScript', [{}, 'login', undefined]],
    ['a legacy field of Babel and SWC', [{}, 'login', { writable: true, value: undefined }]],
  ])('rejects %s', (_what, call) => {
    expect(() => decorate(...call)).toThrow(UsageError);
    expect(() => decorate(...call)).toThrow(
      '@limited decorates methods only: login is not a method. Write @limited(…)',
    );
  });

  it.each<[string, Parameters<Decorator>]>([
    ['standard', [api, { kind: 'class', name: 'Api' }]],
    ['legacy', [api]],
  ])('rejects a class, as a %s decorator', (_kind, call) => {
    expect(() => decorate(...call)).toThrow(/^@limited decorates methods only: (Api|the class) is not a method/);
  });
});
