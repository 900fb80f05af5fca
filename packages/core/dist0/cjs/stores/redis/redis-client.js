"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=redis-client.js.map