import * as fc from 'fast-check';
import { anyTime } from '../lines/log-time.js';
import { parseTextFormat } from './text-format.js';
import { TextLine } from './text-line.js';
import { timeColumns } from './text-times.js';

const FORMAT = parseTextFormat('[$time_local]');
const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
const dayTime = fc
  .tuple(
    fc.constantFrom('20/Nov/2026', '21/Nov/2026', '20/Foo/2026'),
    two(99),
    two(59),
    two(61),
    fc.constantFrom('+0000', '-0730'),
  )
  .map(([day, hours, minutes, seconds, zone]) => `${day}:${hours}:${minutes}:${seconds} ${zone}`);
/** A time with another letter somewhere. */
const damaged = fc
  .tuple(dayTime, fc.nat(25), fc.constantFrom('x', ':', '/', ' ', '0'))
  .map(([text, at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
const iso = two(59).map((seconds) => `2026-11-20T08:00:${seconds}+00:00`);

describe('timeColumns', () => {
  it('reads each time of a log as if it stood alone, whatever stands before it', () => {
    const { timeOf } = timeColumns(FORMAT.names);
    const line = new TextLine(FORMAT, 0);
    const timeIn = (text: string) => {
      const bytes = Buffer.from(`[${text}]`);
      return line.split(bytes, 0, bytes.length) ? timeOf(line) : Number.NaN;
    };

    expect(() =>
      fc.assert(
        fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: dayTime }, damaged, iso)), (texts) =>
          texts.every((text) => Object.is(timeIn(text), anyTime(text))),
        ),
      ),
    ).not.toThrow();
  });
});
