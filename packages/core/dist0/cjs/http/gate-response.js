"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=gate-response.js.map