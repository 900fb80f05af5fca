import { nodeResponse } from '../../../../test/support/node-response.js';
import { rawHeaderNames } from '../../../../test/support/raw-header-names.js';
import { headerFormats, type HeaderFormat } from '../headers/header-formats.js';
import { createGate } from './gate.js';

const tier = { name: 'pages', key: () => 'ada', limit: 1, window: '1m', unit: 'requests' } as const;

describe('writeHeaders', () => {
  it.each(Object.keys(headerFormats) as HeaderFormat[])(
    'sets each header of %s in lower case, also those of a denial and of another origin',
    async (format) => {
      const gate = createGate({ tiers: [tier], headers: [format] });
      const names: string[] = [];
      for (let count = 0; count < 2; count += 1) {
        const response = nodeResponse();
        await gate.admit({ headers: { origin: 'https://a.example' } }, response);
        names.push(...rawHeaderNames(response));
      }

      expect(names).toEqual(expect.arrayContaining(['retry-after', 'access-control-expose-headers', 'cache-control']));
      expect(names).toEqual(names.map((name) => name.toLowerCase()));
    },
  );
});
