/** Modules load again, and share nothing with earlier copies, like those of a new process. */
export function freshModules(): void {
  jest.resetModules();
  Reflect.deleteProperty(globalThis, Symbol.for('sluice.shared.4'));
}
