export type { State } from './messages.js';
