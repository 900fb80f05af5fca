// The entry point for refusing requests under overload: docs/reference/shedder.md. Programs without it do not load it.
export { shedder } from './shedder.js';
export type { SentOptions } from './sent-option.js';
export type { Priority, Shedder, ShedderOptions } from './shedder-options.js';
