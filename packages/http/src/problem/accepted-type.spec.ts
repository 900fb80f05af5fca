import * as fc from 'fast-check';
// @ts-expect-error -- its parts have no declarations
import mediaTypes from 'negotiator/lib/mediaType.js';

import { acceptedType } from './accepted-type.js';

const preferred = mediaTypes as (accept: string, offered: readonly string[]) => readonly string[];
const OFFERED = ['application/problem+json', 'application/json', 'text/plain'];

const space = fc.constantFrom('', ' ', '\t');
const parameter = fc.constantFrom('charset=utf-8', 'charset="UTF-8"', 'charset=latin1', 'version=1', 'charset=*');
const quality = fc.constantFrom('q=0', 'q=0.5', 'q=1', 'Q=0.0', 'q=.3');
const type = fc.constantFrom(...OFFERED, '*/*', 'text/*', 'application/*', 'text/html', 'Text/Plain', 'image/png');
const range = fc
  .tuple(type, fc.array(parameter, { maxLength: 1 }), fc.array(quality, { maxLength: 1 }), space)
  .map(([each, parameters, qualities, gap]) => [each, ...parameters, ...qualities].join(`${gap};${gap}`));
const header = fc.tuple(fc.array(range, { maxLength: 5 }), space).map(([ranges, gap]) => ranges.join(`,${gap}`));

describe('acceptedType', () => {
  it('takes the first offered type that the package negotiator accepts, for every header of ranges', () => {
    fc.assert(
      fc.property(header, (accept) => {
        const accepted = preferred(
          accept,
          OFFERED.map((each) => `${each}; charset=utf-8`),
        );
        const expected = OFFERED.find((each) => accepted.includes(`${each}; charset=utf-8`));

        expect(acceptedType(accept, OFFERED)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', ',', ';;;,,=q', '"', 'text/plain;x="', `text/${'"\\'.repeat(250)}`, '/'.repeat(512), 'a/b;q=x'])(
    'takes nothing by %j, and ends',
    (accept) => {
      expect(acceptedType(accept, OFFERED)).toBeUndefined();
    },
  );

  it('does not end a member at a comma in quotes', () => {
    expect(acceptedType('text/html;note="a, text/plain", application/json', OFFERED)).toBe('application/json');
  });
});
