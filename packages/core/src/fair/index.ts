// The entry point for the option `fair` of tiers: docs/reference/tiers.md. A program without it does not load it.
import { openFair } from '../algorithms/fair-policies.js';
import { addTurns } from '../waiting/turns-maker.js';
import { Turns } from './turns.js';
import { fairRoom } from './fair-room.js';

openFair(fairRoom);
addTurns((isCrowded) => new Turns(isCrowded));

export type { Fair } from '../limiter/tiers/fair.js';
