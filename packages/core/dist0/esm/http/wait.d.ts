import type { GateResponse } from './gate-response.js';
import type { HttpSocket } from './request.js';
/**
 * Waits, unless the client leaves.
 *
 * @param delay milliseconds
 * @param socket the connection: a response that stands behind others of its connection does not hear of its end
 * @returns whether the client has stayed
 */
export declare function wait(delay: number, response: GateResponse, socket?: HttpSocket): Promise<boolean>;
//# sourceMappingURL=wait.d.ts.map