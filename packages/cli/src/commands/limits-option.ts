import { InvalidArgumentError } from 'commander';

export const LIMITS_HELP =
  'a tier such as 300/1m, 9000/month or "300/1m token-bucket burst=50", a file of policies, or a module; repeatable';

export const LIMITER_HELP = 'the one limiter of a file of policies to replay (default: all, each at its routes)';

export const ONE_LIMITER_HELP = 'the one limiter of a file of policies to try, where it has several';

/** Takes an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Takes an option that may be repeated, and may have several values with commas between them. */
export function collectWords(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...value.split(',').map((word) => word.trim())];
}

/** A share of an option: `0.5%` or `0.005`. 1 alone would be all, where most mean a hundredth. @throws InvalidArgumentError */
export function share(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const value = percent === '%' ? Number(digits) / 100 : Number(digits);
  if (value >= 0 && (percent === '%' ? value <= 1 : value < 1)) return value;
  throw new InvalidArgumentError('Write a share such as 0.5%, or 1% for a hundredth.');
}
