"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=store.js.map