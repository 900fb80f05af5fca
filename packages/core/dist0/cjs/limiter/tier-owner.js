"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=tier-owner.js.map