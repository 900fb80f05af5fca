"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=algorithm.js.map