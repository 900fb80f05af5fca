import { effect, signal } from '@preact/signals';
import { finding } from './find.ts';

/** Milliseconds of `performance.now()`, moving on while a client is shown. */
export const now = signal(performance.now());

let timer: number | undefined;

effect(() => {
  clearInterval(timer);
  now.value = performance.now();
  if (finding.found.value) timer = setInterval(() => (now.value = performance.now()), 250);
});
