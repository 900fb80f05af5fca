import { nodeRows } from './node-rows.js';
import { peerRows } from './peer-rows.js';
import type { Row } from './row.js';
import { serverRows } from './server-rows.js';

/** All rows. The packages say which peers there are, so a new adapter brings its rows. */
export const rows: readonly Row[] = [...nodeRows(), ...serverRows(), ...peerRows()];
