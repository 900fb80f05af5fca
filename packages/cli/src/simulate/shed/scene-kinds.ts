import { pool } from './pool-process.js';
import type { SceneKind } from './scene.js';

/** What a process can be short of beside the processor. */
export const sceneKinds: readonly SceneKind[] = [pool];
