// The entry point for refusing requests under overload: docs/reference/shedder.md. Programs without it do not load it.
export { shedder } from './shed/shedder.js';
export type { SentOptions } from './shed/sent-option.js';
export type { Priority, Shedder, ShedderOptions } from './shed/shedder-options.js';
