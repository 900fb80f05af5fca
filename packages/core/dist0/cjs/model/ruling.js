"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.NEVER = void 0;
exports.NEVER = -1;
//# sourceMappingURL=ruling.js.map