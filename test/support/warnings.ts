/** The warnings of each test, as code and text. A test starts like a process, which has given none. Call it in `describe`. */
export function warningCatcher(): () => readonly (readonly [code: string, text: string])[] {
  let emitted: jest.SpyInstance;

  beforeEach(() => {
    const values = (globalThis as Record<symbol, Map<string, Set<string>> | undefined>)[Symbol.for('sluice.shared.4')];
    values?.get('warned')?.clear();
    emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
  });

  afterEach(() => emitted.mockRestore());

  return () => emitted.mock.calls.map(([text, { code }]: [string, { code: string }]) => [code, text]);
}
