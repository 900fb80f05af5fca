import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { promtool } from './promtool.js';

const monitoring = (name: string) => join(root, 'monitoring', name);

describe('the alerts', () => {
  it.each(['sluice-alerts.yml', 'redis-alerts.yml'])('in %s pass the check of promtool', (file) => {
    const { code, text } = promtool(['check', 'rules', monitoring(file)]);

    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringMatching(/^Checking .+\n {2}SUCCESS: \d+ rules found\n\n$/),
    });
  });

  it('fire when they should, and not otherwise', () => {
    const { code, text } = promtool([
      'test',
      'rules',
      monitoring('sluice-alerts.test.yml'),
      monitoring('sluice-alerts.day.test.yml'),
    ]);

    expect({ code, text }).toEqual({ code: 0, text: expect.not.stringContaining('FAILED') });
  });
});
