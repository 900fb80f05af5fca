import type { Notice } from '../../events/events.js';

/** Hears of a notice in the process that has reached its mark. */
export type OnNotice = (notice: Notice) => unknown;
