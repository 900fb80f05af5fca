import type { Answer } from './express/site.js';

/** What is left by the header, of each answer. */
export function left(answers: readonly Answer[]): (number | undefined)[] {
  return answers.map(({ headers }) => {
    const told = headers['x-ratelimit-remaining'];
    return told === undefined ? undefined : Number(told);
  });
}

/** The names of the policies that deny, by the body. */
export function violated({ text }: Answer): unknown {
  return (JSON.parse(text) as Record<string, unknown>)['violated-policies'];
}
