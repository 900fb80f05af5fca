"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=claim.js.map