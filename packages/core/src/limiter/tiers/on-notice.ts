import type { Notice } from '../../events/events.js';

/** Is called with a notice, in the process that has reached its mark. */
export type OnNotice = (notice: Notice) => unknown;
