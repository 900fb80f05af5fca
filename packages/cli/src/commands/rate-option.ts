import { InvalidArgumentError, Option } from 'commander';

/** How much of the time of Redis a command that scans its keys may take. */
export const rateOption = () =>
  new Option('--rate <percent>', 'most of the time that Redis spends on it').argParser(percent).default(10, '10');

function percent(text: string): number {
  const value = Number(text.replace(/%$/, ''));
  if (value > 0 && value <= 100) return value;
  throw new InvalidArgumentError('Write a percentage above 0 and at most 100.');
}
