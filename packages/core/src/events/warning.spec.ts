import { warn } from './warning.js';

describe('warn', () => {
  it('warns once for each code, with a link to its explanation', () => {
    const emitted = jest.spyOn(process, 'emitWarning').mockImplementation();

    warn('SLUICE_ONE', 'one has happened');
    warn('SLUICE_ONE', 'one has happened again');
    warn('SLUICE_OTHER', 'the other has happened');

    const options = {
      type: 'SluiceWarning',
      code: 'SLUICE_ONE',
      detail: expect.stringMatching(/^See (.+\/)?docs\/reference\/warnings\.md#sluice_one$/),
    };
    expect(emitted.mock.calls).toEqual([
      ['one has happened', options],
      ['the other has happened', expect.objectContaining({ code: 'SLUICE_OTHER' })],
    ]);
    emitted.mockRestore();
  });
});
