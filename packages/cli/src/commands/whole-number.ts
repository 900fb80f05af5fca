import { InvalidArgumentError } from 'commander';

/** Parses a whole number of an option. The parser throws an InvalidArgumentError that says which numbers it takes. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Write a whole number ${bounds}.`);
  };
}
