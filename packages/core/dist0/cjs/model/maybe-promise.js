"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=maybe-promise.js.map