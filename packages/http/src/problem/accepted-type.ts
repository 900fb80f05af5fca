/** A media type that can be sent, in lower case. */
interface Offered {
  readonly type: string;
  readonly subtype: string;
}

interface Range extends Offered {
  /** Other parameters than `q`, such as `charset=utf-8`. */
  readonly parameters: readonly string[];
  readonly quality: number;
}

/** A list member of a header, whose quoted strings may contain commas. */
const MEMBER = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

/** All bodies are in UTF-8, and some clients ask for it. */
const CHARSET = 'charset=utf-8';

/** The first offered type that an `Accept` header takes by the range that describes it best. */
export function acceptedType(accept: string, offered: readonly string[]): string | undefined {
  const ranges = (accept.toLowerCase().match(MEMBER) ?? []).flatMap(rangeOf);
  return offered.find((each) => isAccepted(each, ranges));
}

function rangeOf(member: string): readonly Range[] {
  const [range = '', ...parameters] = member.split(';').map((part) => part.trim());
  const [type, subtype] = range.split('/');
  if (type === undefined || subtype === undefined) return [];
  const isQuality = (parameter: string) => /^q\s*=/.test(parameter);
  const quality = parameters.find(isQuality)?.replace(/^q\s*=\s*/, '') || '1';
  const others = parameters.filter((parameter) => parameter !== '' && !isQuality(parameter));
  return [{ type, subtype, parameters: others.map(plainParameter), quality: Number.parseFloat(quality) }];
}

function plainParameter(parameter: string): string {
  return parameter.replace(/\s*=\s*/, '=').replace(/="(.*)"$/, '=$1');
}

function isAccepted(offered: string, ranges: readonly Range[]): boolean {
  const [type = '', subtype = ''] = offered.split('/');
  const fits = ranges
    .map((range) => ({ fit: fitOf({ type, subtype }, range), quality: range.quality }))
    .filter(({ fit }) => fit >= 0)
    .toSorted((one, other) => other.fit - one.fit || other.quality - one.quality);
  return fits.length > 0 && fits[0]!.quality > 0;
}

/** How well a range describes a type: below 0 if it does not. */
function fitOf({ type, subtype }: Offered, range: Range): number {
  const isOther = (range.type !== type && range.type !== '*') || (range.subtype !== subtype && range.subtype !== '*');
  if (isOther || range.parameters.some((each) => each !== CHARSET && each !== 'charset=*')) return -1;
  return Number(range.type === type) * 4 + Number(range.subtype === subtype) * 2 + Number(range.parameters.length > 0);
}
